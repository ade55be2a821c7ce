import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Approval } from '../../../app/records/index.ts';
import { approvalCard } from '../../../handlers/views/card/approval-card.ts';
import { showsWholeInput } from '../../../handlers/views/card/call.ts';
import { listCard } from '../../../handlers/views/card/list/list-card.ts';
import { denyModal } from '../../../handlers/views/forms/deny-modal.ts';
import { shownText } from '../../../handlers/views/kit/input-text.ts';
import { waitingView } from '../../../handlers/views/pages/waiting-view.ts';
import { amountOf } from '../../support/amount.ts';
import { inputModal } from '../../support/drawn-at-once.ts';
import { MEMORY } from '../payloads.ts';
import { anyTool, anyWords, longInput } from './any-megabyte.ts';
import { expectToFit, ofType, parts, problems, textOf } from './fits.ts';
import { digestOf, history, recordOf, type Told } from './histories.ts';
import { list, row } from './lists.ts';
import { everyState, pending } from './records.ts';

const RUNS = { numRuns: amountOf({ test: 4, prove: 15, soak: 2_000 }), endOnFailure: true };
vi.setConfig({ testTimeout: amountOf({ test: 1_200_000, prove: 1_200_000, soak: 3_600_000 }) });

const told: fc.Arbitrary<Told> = fc.record({
  tool: anyTool,
  summary: anyWords,
  reason: anyWords,
  input: longInput,
});
const record = fc.tuple(told, history).map(([what, then]) => recordOf(what, then));

/** The card, the same as a row of a list card, the full view at its beginning and its end, and a form. */
function everyView(approval: Approval) {
  return [
    approvalCard(approval),
    listCard(list([approval, row(1), row(2)])),
    waitingView({ approvals: [approval], doubts: [], more: 0 }),
    inputModal(approval, 0),
    inputModal(approval, Number.MAX_SAFE_INTEGER),
    denyModal(approval, MEMORY),
  ];
}

type View = ReturnType<typeof everyView>[number];

/** Mark-up that Slack would act on, and elements that are mark-up by themselves. */
function active(view: View): readonly string[] {
  const shown = ofType(view.blocks, 'mrkdwn').map((part) => String(part.text));
  const signs = [...shown, ...('text' in view ? [view.text] : [])].flatMap((text) =>
    [...text.matchAll(/<[^>]*>?/g)].map(String),
  );
  const types = ['link', 'user', 'broadcast', 'usergroup', 'channel', 'image', 'markdown'];
  return [...signs.filter((sign) => !OURS.test(sign)), ...types.filter((type) => ofType(view.blocks, type).length > 0)];
}

function invisible({ blocks }: View): readonly string[] {
  const texts = parts(blocks).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return texts.flatMap((text) => (INVISIBLE.exec(text) ?? []).map(escape));
}

describe('any tool, any input, any history', () => {
  it('every view fits every limit, has only the bot’s own mark-up, and shows every invisible character (P20, P27, P27b)', () => {
    fc.assert(
      fc.property(record, (approval) => {
        for (const view of everyView(approval)) {
          expect(problems('text' in view ? view : { blocks: view.blocks })).toEqual([]);
          expect(active(view)).toEqual([]);
          expect(invisible(view)).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  it('two inputs that differ in one character look different, on the card and in the full view (P25, P26)', () => {
    fc.assert(
      fc.property(anyTool, longInput, fc.double({ min: 0, max: 1, noNaN: true }), (tool, input, where) => {
        const at = Math.min(input.length - 1, Math.floor(where * input.length));
        const other = `${input.slice(0, at)}${input[at] === 'x' ? 'y' : 'x'}${input.slice(at + 1)}`;
        const cards = [input, other].map((text) => pending({ tool, input: text, digest: digestOf(tool, text) }));
        const [one, two] = cards.map((card) => textOf(approvalCard(card).blocks));
        // What does not fit is told apart by the digest, which goes over all of it.
        expect(one === two).toBe(false);
        const [first, second] = cards.map((card) => textOf(approvalCard({ ...card, digest: '' }).blocks));
        if (cards.every(showsWholeInput)) expect(first === second).toBe(false);
        // Page by page, the full view is this text.
        expect(shownText(input) === shownText(other)).toBe(false);
      }),
      { ...RUNS, numRuns: amountOf({ test: 4, prove: 12, soak: 500 }) },
    );
  });
});

const OURS =
  /^<@U0[A-Z0-9]+>$|^<@ANN>$|^<!date\^\d+\^\{date_short_pretty\} \{time\}\|[-\d]+ [:\d]+ UTC>$|^<https:\/\/slack\.com\/archives\/[A-Z0-9]+\/p\d+\?thread_ts=[\d.]+\|Go to the (?:newer )?card>$/;
const INVISIBLE = /(?![ \n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

it('an input too deep to be written as JSON again is shown (P20)', () => {
  const depth = amountOf({ test: 20_000, prove: 100_000, soak: 100_000 });
  const deep = `{"a":${'{"b":'.repeat(depth)}1${'}'.repeat(depth)}}`;

  for (const approval of everyState(pending({ input: deep }))) expectToFit(approvalCard(approval));
});
