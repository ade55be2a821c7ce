import { describe, expect, it } from 'vitest';
import { decideAsk } from '../../../app/journal/decide/ask.ts';
import { decidePress } from '../../../app/journal/decide/decide.ts';
import { decideOutdated, decideStart, type Start } from '../../../app/journal/decide/start.ts';
import { EntryBody } from '../../../app/journal/facts/entries.ts';
import { toApproval } from '../../../app/journal/fold/queries/view.ts';
import { brokenPromises } from '../../../app/keeping/audit/promises.ts';
import { approvalId, ask, asked, fold, foldOnto, OWN_RULE, pressed, started, turn } from '../../support/journal.ts';

const seen = (digest: string) => ({ text: `world ${digest}`, digest });
const entries = [started, turn(1, 'a'), asked({ preview: 'It would go.', precondition: seen('w1') })];
const waiting = fold(...entries);
const approved = foldOnto(waiting, ...decidePress(waiting, pressed()).entries);
const start = (precondition?: string, digest = 'd1'): Start => ({
  call: '1/a',
  attempt: 't1',
  tool: 'deploy',
  effect: 'asked',
  rule: OWN_RULE,
  definition: 'v1',
  digest,
  grant: { type: 'approval', approval: approvalId() },
  ...(precondition === undefined ? {} : { precondition }),
});

describe('the precondition of an approval (T4)', () => {
  it('lets the call start while it is as it was shown, and keeps its value', () => {
    const decided = decideStart(approved, start('w1'));

    expect(decided.result).toEqual({ type: 'start' });
    expect(decided.entries).toMatchObject([{ type: 'call-started', precondition: 'w1' }]);
    expect(decideOutdated(approved, approvalId(), 'w1')).toEqual({ entries: [], result: 'holds' });
  });

  it.each([
    ['is another', 'w2'],
    ['cannot be told any more', undefined],
  ])('stops the start when it %s', (_what, now) => {
    expect(decideStart(approved, start(now)).result).toEqual({
      type: 'refused',
      why: 'what it rests on has changed since it was shown',
    });
  });

  it('stops the start when no precondition existed at the question', () => {
    const plain = fold(started, turn(1, 'a'), asked());
    const yes = foldOnto(plain, ...decidePress(plain, pressed()).entries);

    expect(decideStart(yes, start('w1')).result).toMatchObject({ type: 'refused' });
    expect(decideOutdated(yes, approvalId(), 'w1').result).toBe('outdated');
  });

  it('voids the approval for good after a change was seen, and the same call is asked again', () => {
    const outdated = foldOnto(approved, ...decideOutdated(approved, approvalId(), 'w2').entries);

    expect(decideStart(outdated, start('w1')).result).toMatchObject({ type: 'refused' });
    const again = decideAsk(outdated, ask({ approval: approvalId(2), precondition: seen('w2') }));
    expect(again.result).toEqual({ type: 'asked', approval: approvalId(2), fresh: true });
    expect(again.entries).toMatchObject([{ type: 'call-asked', was: 'world w1', precondition: seen('w2') }]);

    const state = foldOnto(outdated, ...again.entries);
    const old = state.approvals.get(approvalId());
    expect(old && toApproval(state, old, () => undefined)).toMatchObject({
      status: 'approved',
      outcome: { type: 'not-applied' },
      outdated: 'world',
    });
    expect(decideAsk(state, ask({ approval: approvalId(3) })).result).toMatchObject({ fresh: false });
  });

  it('is recorded as changed once, however many processes see the change', () => {
    const outdated = foldOnto(approved, ...decideOutdated(approved, approvalId(), 'w2').entries);

    expect(decideOutdated(outdated, approvalId(), 'w2')).toEqual({ entries: [], result: 'holds' });
  });

  it('belongs to the edited input when a person changed it', () => {
    const edit = { input: { text: '{"n":2}' }, digest: 'd2', summary: 'Deploy twice.', precondition: seen('w9') };
    const edited = foldOnto(waiting, ...decidePress(waiting, pressed({ edit })).entries);

    expect(decideStart(edited, start('w9', 'd2')).result).toEqual({ type: 'start' });
    expect(decideStart(edited, start('w1', 'd2')).result).toMatchObject({ type: 'refused' });
  });

  it('is not voided after the call has begun', () => {
    const begun = foldOnto(approved, ...decideStart(approved, start('w1')).entries);

    expect(decideOutdated(begun, approvalId(), 'w2').result).toBe('holds');
  });

  it('is checked by the audit as well, with separate code', () => {
    const yes = decidePress(waiting, pressed()).entries;
    const begun = (precondition: string) => EntryBody.parse({ ...start(precondition), type: 'call-started' });
    const changed = decideOutdated(approved, approvalId(), 'w2').entries;

    expect(brokenPromises([...entries, ...yes, begun('w1')])).toEqual([]);
    expect(brokenPromises([...entries, ...yes, begun('w2')])).toMatchObject([
      { says: expect.stringContaining('the world was not as it was shown') },
    ]);
    expect(brokenPromises([...entries, ...yes, ...changed, begun('w1')])).toMatchObject([
      { says: expect.stringContaining('without a yes') },
    ]);
  });
});

describe('an edited call (T3)', () => {
  it('is found in its edited form by the audit, which names any other input', () => {
    const plain = [started, turn(1, 'a'), asked()];
    const edit = { input: { text: '{"n":2}' }, digest: 'd2', summary: 'Deploy twice.' };
    const yes = decidePress(fold(...plain), pressed({ edit })).entries;
    const begun = (digest: string) => EntryBody.parse({ ...start(undefined, digest), type: 'call-started' });

    expect(brokenPromises([...plain, ...yes, begun('d2')])).toEqual([]);
    expect(brokenPromises([...plain, ...yes, begun('d1')])).toHaveLength(1);
  });
});
