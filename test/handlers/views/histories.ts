import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { decideAsk } from '../../../app/journal/decide/ask.ts';
import {
  decideAskedAgain,
  decideCancel,
  decideExpiry,
  decidePress,
  decideStop,
  decideTrustOver,
} from '../../../app/journal/decide/decide.ts';
import { decideReferral } from '../../../app/journal/decide/referrals.ts';
import { decideOutdated, decideStart } from '../../../app/journal/decide/start.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { approvedDigest } from '../../../app/journal/fold/queries/approvals.ts';
import { toApproval } from '../../../app/journal/fold/queries/view.ts';
import type { RunState } from '../../../app/journal/fold/state.ts';
import type { Approval, Verdict } from '../../../app/records/index.ts';
import { approvalId, ask, foldOnto, grantId, HOUR_MS, pressed, started, turn, user } from '../../support/journal.ts';

/** Records that can be: what the deciding functions make of any order of what people, the clock and the bot do. */
export interface Told {
  readonly tool: string;
  readonly summary: string;
  readonly reason: string;
  /** JSON text. */
  readonly input: string;
}

const PEOPLE = ['U0ANN00001', 'U0BEN00001', 'U0ZOE00001'].map(user);
const TEXTS = ['No.', '*No* <!channel>', 'x'.repeat(900), '\u202Eno'];

const verdict = fc.constantFrom<Verdict>('approve', 'deny', 'trust', 'answer');
const move = fc.oneof(
  fc.record({
    type: fc.constant('press' as const),
    verdict,
    by: fc.nat(2),
    text: fc.nat(3),
    edits: fc.boolean(),
    web: fc.boolean(),
  }),
  fc.record({
    type: fc.constantFrom(
      'start',
      'finish',
      'lose',
      'fail',
      'expire',
      'cancel',
      'stop',
      'outdate',
      'end-trust',
      'ask-again',
      'ask-anew',
      'replace-card',
      'paint',
    ),
  }),
  fc.record({ type: fc.constant('refer' as const), by: fc.nat(2), to: fc.nat(2) }),
);
type Move = typeof move extends fc.Arbitrary<infer Value> ? Value : never;

const setting = fc.record({
  effect: fc.constantFrom('asked' as const, 'guarded' as const),
  quorum: fc.constantFrom(undefined, 2, 3),
  named: fc.boolean(),
  wants: fc.boolean(),
  secondFactor: fc.boolean(),
  looked: fc.boolean(),
  hides: fc.constantFrom('nothing' as const, 'declared' as const, 'undeclared' as const),
});

/** What comes after the question, and how it was asked; what was asked comes later, so that it may be a megabyte. */
export const history = fc.tuple(setting, fc.array(move, { maxLength: 8 }));
export type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

export function recordOf({ tool, summary, reason, input }: Told, [how, moves]: History): Approval {
  const { effect, quorum, named, wants, secondFactor, looked, hides } = how;
  const approvers = named || quorum !== undefined ? PEOPLE : [];
  const question = ask({
    tool,
    summary,
    reason,
    input: { at: 1 },
    digest: digestOf(tool, input),
    effect,
    rule: { approvers, selfApproval: true, ...(quorum === undefined ? {} : { quorum }) },
    ...(wants ? { wants: { choices: [summary.slice(0, 70)] } } : {}),
    ...(secondFactor && effect === 'guarded' ? { secondFactor: true as const } : {}),
    ...(looked ? { preview: summary, precondition: { text: reason, digest: 'p1' } } : {}),
    ...(hides === 'nothing' ? {} : { hides: ['token', reason.slice(0, 40)], undeclared: [] }),
    ...(hides === 'undeclared' ? { undeclared: [{ name: reason.slice(0, 40), by: 'name' as const, chars: 9 }] } : {}),
    ruledBy: { name: summary.slice(0, 80) },
  });
  const begun = foldOnto(undefined, started, turn(1, 'a'));
  const asked = foldOnto(begun, ...decideAsk(begun, question).entries);
  const end = moves.reduce(after, asked);
  const record = end.approvals.get(approvalId());
  if (record === undefined) throw new Error('The question is gone.');
  return toApproval(end, record, () => input);
}

function after(state: RunState, made: Move): RunState {
  const entries = entriesOf(state, made);
  return entries.length === 0 ? state : foldOnto(state, ...entries);
}

function entriesOf(state: RunState, made: Move): readonly EntryBody[] {
  const id = approvalId();
  const asked = state.approvals.get(id);
  const call = state.calls.get('1/a');
  if (asked === undefined || call === undefined) return [];
  switch (made.type) {
    case 'press': {
      const by = PEOPLE[made.by] ?? user('X');
      const text = TEXTS[made.text] ?? '';
      const edit = { input: { text: '{"service":"search"}' }, digest: 'edited', summary: text };
      return decidePress(
        state,
        pressed({
          verdict: made.verdict,
          by,
          reason: text,
          onWeb: made.web,
          ...(made.verdict === 'trust' ? { grant: grantId() } : {}),
          ...(made.verdict === 'answer' ? { answer: text } : {}),
          ...(made.edits && made.verdict === 'approve' ? { edit } : {}),
        }),
      ).entries;
    }
    case 'refer':
      return decideReferral(state, {
        approval: id,
        by: PEOPLE[made.by] ?? user('X'),
        to: PEOPLE[made.to] ?? user('Y'),
        most: 5,
      }).entries;
    case 'start': {
      const { tool, definition, effect, rule } = asked;
      const looked = asked.precondition === undefined ? {} : { precondition: asked.precondition.digest };
      return decideStart(state, {
        call: '1/a',
        attempt: 'one',
        tool,
        effect,
        rule,
        definition,
        digest: approvedDigest(asked),
        grant: { type: 'approval', approval: id },
        ...looked,
      }).entries;
    }
    case 'finish':
    case 'fail':
      return call.execution.type === 'started'
        ? [{ type: 'call-finished', call: '1/a', attempt: 'one', ok: made.type === 'finish', ms: 1_234, item: 9 }]
        : [];
    case 'lose':
      return call.execution.type === 'started' ? [{ type: 'call-unknown', call: '1/a', attempt: 'one' }] : [];
    case 'expire':
      return decideExpiry(state, id, 2 * HOUR_MS).entries;
    case 'cancel':
      return decideCancel(state, id, TEXTS[1] ?? '').entries;
    case 'stop':
      return decideStop(state, { cause: TEXTS[2] ?? '', by: user('U0ZOE00001') }).entries;
    case 'outdate':
      return decideOutdated(state, id, 'p2').entries;
    case 'end-trust':
      return decideTrustOver(state, grantId(), user('U0BEN00001')).entries;
    case 'ask-again':
      return decideAskedAgain(state, id, state.requester).entries;
    case 'ask-anew':
      return decideAsk(state, ask({ approval: approvalId(2), tool: asked.tool, digest: 'changed' })).entries;
    case 'replace-card': {
      const card = { channel: 'C0OPS00001', ts: '1795251999.000100' };
      return state.approvals.has(approvalId(2)) ? [{ type: 'card-posted', approval: approvalId(2), card }] : [];
    }
    case 'paint':
      return [{ type: 'card-painted', approval: id, revision: asked.revision }];
  }
}

/** What a card cannot show is told apart by this. */
export function digestOf(tool: string, input: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, input]))
    .digest('hex');
}
