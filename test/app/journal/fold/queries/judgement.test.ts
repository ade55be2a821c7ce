import { describe, expect, it } from 'vitest';
import { decideAsk } from '../../../../../app/journal/decide/ask.ts';
import { decidePress } from '../../../../../app/journal/decide/decide.ts';
import { decideStart, type Start } from '../../../../../app/journal/decide/start.ts';
import type { EntryBody } from '../../../../../app/journal/facts/entries.ts';
import { toApproval } from '../../../../../app/journal/fold/queries/view.ts';
import { owedPaintings } from '../../../../../app/journal/owed/cards.ts';
import { brokenPromises } from '../../../../../app/keeping/audit/promises.ts';
import type { StoredDecisionRule } from '../../../../../app/records/index.ts';
import {
  approvalId,
  ask,
  asked,
  fold,
  foldOnto,
  OWN_RULE,
  pressed,
  started,
  turn,
  user,
} from '../../../../support/journal.ts';

const twoOfTwo: StoredDecisionRule = { approvers: [user('BEN'), user('CAT')], selfApproval: false, quorum: 2 };
const before: readonly EntryBody[] = [started, turn(1, 'a'), asked()];
const waiting = fold(...before);
const yes = decidePress(waiting, pressed()).entries;
const approved = foldOnto(waiting, ...yes);
const start = (changes: Partial<Start> = {}): Start => ({
  call: '1/a',
  attempt: 't1',
  tool: 'deploy',
  effect: 'asked',
  rule: OWN_RULE,
  definition: 'v1',
  digest: 'd1',
  grant: { type: 'approval', approval: approvalId() },
  ...changes,
});
const outdated = { right: { type: 'outdated', why: 'The rules have changed.' } } as const;

describe('a change of the rules while a card waits', () => {
  it.each(['approve', 'trust', 'answer'] as const)(
    'refuses the verdict %s, and the question is withdrawn to be asked anew',
    (verdict) => {
      const answer = verdict === 'answer' ? { answer: 'Three.' } : {};
      const decided = decidePress(waiting, pressed({ ...outdated, verdict, ...answer }));

      expect(decided.result).toBe('outdated');
      expect(decided.entries).toMatchObject([{ type: 'press-refused' }, { type: 'call-cancelled', again: true }]);
      const state = foldOnto(waiting, ...decided.entries);
      expect(decideStart(state, start()).result).toMatchObject({ type: 'refused' });
      const again = decideAsk(state, ask({ approval: approvalId(2), rule: twoOfTwo, effect: 'guarded' }));
      expect(again.result).toEqual({ type: 'asked', approval: approvalId(2), fresh: true });
      expect(brokenPromises([...before, ...decided.entries, ...again.entries])).toEqual([]);
    },
  );

  it('keeps the right to deny for the people whom the card names', () => {
    const decided = decidePress(waiting, pressed({ ...outdated, verdict: 'deny' }));

    expect(decided.entries).toMatchObject([{ type: 'call-decided', verdict: 'deny' }]);
    const state = foldOnto(waiting, ...decided.entries);
    expect(decideAsk(state, ask({ approval: approvalId(2), rule: twoOfTwo })).result).toMatchObject({ fresh: false });
  });

  it('replaces the question when it is asked again, and drops the yeses so far', () => {
    const several = fold(started, turn(1, 'a'), asked({ rule: twoOfTwo, effect: 'guarded' }));
    const counted = foldOnto(several, ...decidePress(several, pressed({ by: user('BEN') })).entries);
    const again = decideAsk(counted, ask({ approval: approvalId(2), rule: { ...twoOfTwo, quorum: 1 } }));

    expect(again.entries).toMatchObject([{ type: 'call-cancelled', again: true }, { type: 'call-asked' }]);
    expect(foldOnto(counted, ...again.entries).approvals.get(approvalId(2))?.yeses).toEqual([]);
  });

  it('leaves the old card cancelled, with a link to the new one after that is posted', () => {
    const again = decideAsk(waiting, ask({ approval: approvalId(2), rule: twoOfTwo }));
    const state = foldOnto(waiting, ...again.entries);
    const old = (now: typeof state) => {
      const record = now.approvals.get(approvalId());
      return record && toApproval(now, record, () => undefined);
    };
    expect(old(state)).toMatchObject({ status: 'cancelled', replacedBy: { id: approvalId(2) } });
    const painted = foldOnto(state, {
      type: 'card-painted',
      approval: approvalId(),
      revision: old(state)?.revision ?? 0,
    });
    expect(owedPaintings(painted)).toEqual([]);

    const card = { channel: 'C1', ts: '9.1' };
    const posted = foldOnto(painted, { type: 'card-posted', approval: approvalId(2), card });
    expect(old(posted)).toMatchObject({ replacedBy: { card } });
    expect(owedPaintings(posted).map(({ id }) => id)).toEqual([approvalId()]);
  });

  it('does nothing when the new rules ask no person, or the same people in another order', () => {
    const several = fold(started, turn(1, 'a'), asked({ rule: twoOfTwo, effect: 'guarded' }));
    const others = { ...twoOfTwo, approvers: [...twoOfTwo.approvers].reverse() };

    expect(decideAsk(several, ask({ rule: others, effect: 'guarded' })).result).toMatchObject({ fresh: false });
    expect(decideAsk(several, ask({ rule: OWN_RULE }), { needed: false }).result).toMatchObject({ fresh: false });
  });
});

describe('a change of the rules between the approval and the start', () => {
  it.each([
    ['others decide', { rule: { ...OWN_RULE, approvers: [user('BEN')] } }],
    ['several decide', { rule: twoOfTwo }],
    ['it is guarded', { effect: 'guarded' }],
    ['a second factor is needed', { secondFactor: true }],
    ['a rule denies it', { effect: 'denied' }],
  ] as const)('do not take that yes where %s', (_what, now) => {
    expect(decideStart(approved, start(now))).toMatchObject({ entries: [], result: { type: 'refused' } });
  });

  it('keeps the approval when the new rules ask no person', () => {
    expect(decideStart(approved, start({ effect: 'open', rule: twoOfTwo })).result).toEqual({ type: 'start' });
  });

  it('voids the approval for good, asks people under the new rules, and explains this on the old card', () => {
    const again = decideAsk(approved, ask({ approval: approvalId(2), rule: twoOfTwo }));
    expect(again.entries).toMatchObject([{ type: 'rules-changed' }, { type: 'call-asked', rule: twoOfTwo }]);

    const state = foldOnto(approved, ...again.entries);
    expect(decideStart(state, start()).result).toMatchObject({ type: 'refused' });
    const old = state.approvals.get(approvalId());
    expect(old && toApproval(state, old, () => undefined)).toMatchObject({
      outdated: 'rules',
      outcome: { type: 'not-applied' },
    });
    expect(brokenPromises([...before, ...yes, ...again.entries])).toEqual([]);
  });

  it('is judged by the edited input when an approver changed it', () => {
    const terms = { effect: 'guarded', rule: { approvers: [user('ANN')], selfApproval: true } } as const;
    const edit = { input: { text: '{"n":2}' }, digest: 'd2', summary: 'Deploy twice.', terms };
    const edited = foldOnto(waiting, ...decidePress(waiting, pressed({ edit })).entries);

    expect(decideStart(edited, start({ digest: 'd2', ...terms })).result).toEqual({ type: 'start' });
    expect(decideStart(edited, start({ digest: 'd2' })).result).toMatchObject({ type: 'refused' });
    expect(decideAsk(edited, ask({ digest: 'd2', ...terms })).result).toMatchObject({ fresh: false });
    expect(decideAsk(edited, ask()).result).toMatchObject({ fresh: false });
  });
});
