import { expect, it } from 'vitest';
import { decideStop } from '../../../../app/journal/decide/decide.ts';
import { beganAfter, isSettled } from '../../../../app/runs/story/left-to-do.ts';
import { approvalId, asked, fold, foldOnto, HOUR_MS, OWN_RULE, started, turn, user } from '../../../support/journal.ts';

const CARD = { channel: 'C1', ts: '2.0' } as const;

it('a stop that is delivered late does not stop a run that began after it', () => {
  const state = fold(started, { type: 'person-said', key: 'm/C1/1795251650.000300', user: user('ANN'), item: 0 });

  expect(beganAfter(state, '1795251649.000100')).toBe(true);
  expect(beganAfter(state, '1795251650.000300')).toBe(false);
  expect(beganAfter(state, '1795251651.000100')).toBe(false);
  // Slack’s own Stop, which says no time, and a run that was asked for again with a button.
  expect(beganAfter(state, undefined)).toBe(false);
  expect(
    beganAfter(
      fold(started, { type: 'person-said', key: 'm/C1/again:x', user: user('ANN'), item: 0 }),
      '1795251649.000100',
    ),
  ).toBe(false);
});

it('a run whose thread can no longer be told anything is settled, whatever it still had to show (FS9)', () => {
  const lost = [
    { type: 'call-started', call: '1/a', attempt: 'dead', tool: 'deploy', digest: 'd', grant: { type: 'open' } },
    { type: 'call-unknown', call: '1/a', attempt: 'dead' },
  ] as const;
  const doubt = {
    type: 'doubt-asked',
    doubt: approvalId(2),
    call: '1/a',
    tool: 'deploy',
    summary: 'Deploy.',
    digest: 'd',
    effect: 'asked',
    rule: OWN_RULE,
    expiresAtMs: HOUR_MS,
  } as const;
  const state = fold(started, turn(1, 'a', 'b'), asked({ call: '1/b' }), ...lost, doubt, { type: 'reply-begun' });
  const ended = foldOnto(state, ...decideStop(state, { cause: 'Enough.' }).entries, { type: 'sealed' });

  expect(isSettled(ended)).toBe(false);
  expect(isSettled(foldOnto(ended, { type: 'unheard', cause: 'gone' }))).toBe(true);
});

it('a run that is over is settled once its end is sealed, and a run that goes on is not', () => {
  const ended = fold(
    started,
    { type: 'run-stopped', cause: 'Enough.' },
    { type: 'posted', key: 'stopped', card: CARD },
  );

  expect(isSettled(fold(started))).toBe(false);
  expect(isSettled(ended)).toBe(false);
  expect(isSettled(foldOnto(ended, { type: 'sealed' }))).toBe(true);
});
