import { expect, it } from 'vitest';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { effectsOf, unheardLists } from '../../../../app/journal/owed/effects.ts';
import { remainsOf } from '../../../../app/journal/owed/retention.ts';
import { threadKey } from '../../../../app/records/index.ts';
import { approvalId, asked, fold, foldOnto, HOUR_MS, runId, THREAD, user } from '../../../support/journal.ts';
import { QUESTIONS } from '../../../support/questions.ts';

it('names each question of a run and each of its times, so that a removed run leaves nothing', () => {
  const state = fold(...QUESTIONS);
  const ids = [approvalId(1), approvalId(2), approvalId(3)];

  const { run, version, approvals, due } = remainsOf(state);

  expect({ run, version }).toEqual({ run: runId(), version: state.version });
  expect(approvals.toSorted()).toEqual(ids);
  expect(due[0]).toEqual({ what: 'retention', subject: runId() });
  for (const subject of ids)
    expect(due.filter((item) => item.subject === subject).map(({ what }) => what)).toEqual([
      ...['expiry', 'notice', 'reminder', 'escalation'],
    ]);
});

it('names the list on which a requester reads of a run that its thread did not hear the end of (SURF-3)', () => {
  const state = foldOnto(fold(...QUESTIONS), { type: 'unheard', cause: 'The channel takes nothing.' });
  const [index] = unheardLists(state);

  expect(index?.what).toBe('unheard');
  expect(remainsOf(state).members).toContainEqual({ index, member: runId() });
});

it('names all that the entries of a run have put into the store and not taken out again', () => {
  const [decided, expired, referred, list] = [approvalId(4), approvalId(5), approvalId(6), approvalId(7)];
  const ofBen = {
    rule: { approvers: [user('BEN'), user('ANN')], selfApproval: true },
    noticeAtMs: 1,
    remindAtMs: 2,
  } as const;
  const story: readonly EntryBody[] = [
    ...QUESTIONS,
    asked({ ...ofBen, approval: decided, call: '2/a', approvedInARow: 3 }),
    asked({ ...ofBen, approval: expired, call: '2/b' }),
    asked({ ...ofBen, approval: referred, call: '2/c' }),
    { type: 'calls-listed', list, approvals: [decided, expired] },
    { type: 'call-referred', approval: referred, by: user('BEN'), to: user('ZOE') },
    { type: 'call-decided', approval: decided, verdict: 'approve', by: user('BEN') },
    { type: 'call-expired', approval: expired },
    { type: 'doubt-settled', doubt: approvalId(2), how: 'expired' },
    { type: 'unheard', cause: 'The channel takes nothing.' },
    { type: 'sealed', retireAtMs: HOUR_MS },
  ];
  const kept = new Set<string>();
  story.forEach((entry, at) => {
    const state = fold(...story.slice(0, at + 1));
    for (const effect of effectsOf(state, [entry], { thread: threadKey(THREAD), graceMs: 0 })) {
      if (effect.type === 'approval') kept.add(effect.approval);
      if (effect.type === 'due') kept.add(`${effect.item.what} of ${effect.item.subject}`);
      if (effect.type === 'not-due') kept.delete(`${effect.item.what} of ${effect.item.subject}`);
      if (effect.type === 'member') kept.add(`${effect.member} in ${effect.index.what}/${effect.index.of}`);
      if (effect.type === 'not-member') kept.delete(`${effect.member} in ${effect.index.what}/${effect.index.of}`);
    }
  });
  // The end of the run takes its thread from the list of those that are busy.
  kept.delete(`${threadKey(THREAD)} in threads/${THREAD.team}`);

  const { approvals, due, members } = remainsOf(fold(...story));
  const named = new Set([
    ...approvals,
    ...due.map(({ what, subject }) => `${what} of ${subject}`),
    ...members.map(({ member, index }) => `${member} in ${index.what}/${index.of}`),
  ]);
  expect([...kept].filter((what) => !named.has(what))).toEqual([]);
  expect([...kept].filter((what) => what.includes(' in ')).length).toBeGreaterThan(8);
});
