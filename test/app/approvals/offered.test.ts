import { expect, it } from 'vitest';
import type { Approval, Verdict } from '../../../app/records/index.ts';
import { approvalCard } from '../../../handlers/views/card/approval-card.ts';
import { ANN, BEN, ZOE } from '../../../sandbox/people.ts';
import { parts } from '../../handlers/views/fits.ts';
import { inputModal } from '../../support/drawn-at-once.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';
import { HOUR_MS } from '../../support/journal.ts';

const VERDICTS: readonly Verdict[] = ['approve', 'deny', 'trust', 'answer'];
const LAST_PAGE = Number.MAX_SAFE_INTEGER;

const PLACES = [
  { place: 'its card', view: approvalCard, from: {} },
  {
    place: 'its full view',
    view: (approval: Approval) => inputModal(approval, LAST_PAGE),
    from: { from: { type: 'full-view' } },
  },
] as const;

/** Its line names the whole value. */
const LONG_LINE = { match: 'fields', fields: ['service'], scope: 'thread', forMs: HOUR_MS } as const;

type Kind = readonly [kind: string, more: Parameters<typeof tool>[1], service?: string];

const ASKED: Kind = ['a call that is asked about', {}];
const ON_WEB: Kind = [
  'a call with a second factor',
  { effect: 'guarded', approvers: [ANN], selfApproval: true, secondFactor: true },
];

const KINDS: readonly Kind[] = [
  ASKED,
  ['a guarded call', { effect: 'guarded', approvers: [ANN], selfApproval: true }],
  ['a call that two people decide', { approvers: [ANN, BEN, ZOE], selfApproval: true, quorum: 2 }],
  ON_WEB,
  ['a call that is too long for its card', {}, 'x'.repeat(5_000)],
  ['a call whose line of trust would be cut', { trust: LONG_LINE }, 'x'.repeat(400)],
];

const signOn = { header: 'x-forwarded-email', people: { 'ann@example.com': ANN } };

async function asked([, more, service = 'payments']: Kind): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart', more)], signOn });
  bot.model.says(call('restart', { service }));
  await bot.mention(ANN, 'restart payments');
  return bot;
}

async function question(): Promise<Bot> {
  const bot = await inProcess({ tools: [] });
  bot.model.says(call('ask_person', { question: 'Which service?' }));
  await bot.mention(ANN, 'restart it');
  return bot;
}

/** The verdicts that have a button here, or a line in the menu. */
function drawnOn(view: { readonly blocks: readonly unknown[] }): readonly Verdict[] {
  const told = parts(view.blocks).flatMap(({ action_id, value }) => [String(action_id), String(value)]);
  return VERDICTS.filter((verdict) =>
    told.some((one) => one === `approval_${verdict}` || one.startsWith(`${verdict} `)),
  );
}

const more = (verdict: Verdict) => (verdict === 'answer' ? { answer: 'It is up.' } : {});

const rows = PLACES.flatMap((place) => [
  ...KINDS.map((kind) => ({ ...place, kind: kind[0], begin: () => asked(kind) })),
  { ...place, kind: 'a question to a person', begin: question },
]);

it.each(rows)(
  '$kind takes the verdicts that are drawn on $place, and no other (P57)',
  async ({ begin, view, from }) => {
    const bot = await begin();
    const drawn = drawnOn(view(bot.card()));

    for (const verdict of VERDICTS.filter((one) => !drawn.includes(one)))
      expect([verdict, await bot.press(ANN, bot.card(), verdict, { ...more(verdict), ...from })]).toEqual([
        verdict,
        'not-offered',
      ]);
    expect(bot.ran()).toEqual([]);

    for (const verdict of drawn) {
      const another = await begin();
      const result = await another.press(ANN, another.card(), verdict, { ...more(verdict), ...from });
      expect([verdict, result]).toEqual([verdict, expect.stringMatching(/^(decided|counted)$/)]);
    }
  },
);

it.each<[string, Kind, (bot: Bot, card: Approval) => Promise<unknown>]>([
  ['Approve on its card', ASKED, (bot, card) => bot.press(ANN, card, 'approve')],
  ['Deny on its card', ASKED, (bot, card) => bot.press(ANN, card, 'deny')],
  ['Trust on its card', ASKED, (bot, card) => bot.press(ANN, card, 'trust')],
  ['the form of Answer instead', ASKED, (bot, card) => bot.press(ANN, card, 'answer', { answer: 'It is up.' })],
  ['the form of Edit input', ASKED, (bot, card) => bot.press(ANN, card, 'approve', { edit: '{"service":"mail"}' })],
  ['Approve in the full view', ASKED, (bot, card) => bot.press(ANN, card, 'approve', { from: { type: 'full-view' } })],
  ['Deny in the full view', ASKED, (bot, card) => bot.press(ANN, card, 'deny', { from: { type: 'full-view' } })],
  ['the page', ON_WEB, (bot, card) => bot.press(ANN, card, 'approve', { from: { type: 'web', digest: card.digest } })],
])('a decision by %s redraws the card and lets the run go on (P12)', async (_where, kind, decide) => {
  const bot = await asked(kind);
  const card = bot.card();

  expect(await decide(bot, card)).toBe('decided');

  const shown = bot.thread.cards().find(({ id }) => id === card.id);
  expect(shown?.status).toMatch(/^(approved|denied|trusted|answered)$/);
  expect(drawnOn(approvalCard(shown ?? card))).toEqual([]);
  expect(bot.model.told()).toHaveLength(1);
  expect(bot.posts().at(-1)).toBe('Done.');
});
