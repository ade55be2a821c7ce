import { expect, it } from 'vitest';
import { createRuleNow } from '../../../../app/authority/approvers/look-up.ts';
import { LIMITS } from '../../../../app/limits.ts';
import { silentLog } from '../../../../app/log.ts';
import type { FindApprovers } from '../../../../app/tools/index.ts';
import { OWN_RULE, THREAD, user } from '../../../support/journal.ts';
import { testTimers } from '../../../support/timers.ts';

const FAILED = { why: 'it could not be found out who may approve it just now' };

/** Asks a rota, as the question and each press do. */
function rota(findApprovers: FindApprovers) {
  const time = testTimers();
  const ruleNow = createRuleNow({ elapsed: time.now, timers: time, log: silentLog });
  const call = { tool: { name: 'deploy' }, input: { to: 'live' }, thread: THREAD, requester: user('UANN') };
  return { time, ask: (input = call.input) => ruleNow({ rule: OWN_RULE, findApprovers }, { ...call, input }) };
}

it('the function that names approvers is asked once for what happens within five seconds, and each call for itself (SURF-2)', async () => {
  let asked = 0;
  const { time, ask } = rota(() => {
    asked += 1;
    return ['UBEN', 'UBEN'];
  });

  expect(await ask()).toEqual({ rule: { ...OWN_RULE, approvers: ['UBEN'], lookedUp: true } });
  time.advance(4_999);
  await ask();
  expect(asked).toBe(1);
  await ask({ to: 'test' });
  expect(asked).toBe(2);
  time.advance(1);
  await ask();
  expect(asked).toBe(3);
});

it('no person may approve when the function that names approvers does not answer in time, and it is told to give up (SURF-2)', async () => {
  let signal: AbortSignal | undefined;
  const { time, ask } = rota((_call, help) => {
    signal = help.signal;
    return new Promise(() => {});
  });

  const found = ask();
  await Promise.resolve();
  time.advance(LIMITS.findApproversMs);

  expect(await found).toEqual(FAILED);
  expect(signal?.aborted).toBe(true);
});

it.each<[string, FindApprovers]>([
  ['throws', () => Promise.reject(new Error('The rota is away.'))],
  ['names no person', () => []],
  ['names what is no id', () => ['ben']],
])(
  'no person may approve when the function that names approvers %s, and the next press asks again (SURF-2)',
  async (_how, fails) => {
    let answer = fails;
    const { ask } = rota((...call) => answer(...call));

    expect(await ask()).toEqual(FAILED);
    answer = () => ['UBEN'];

    expect(await ask()).toMatchObject({ rule: { approvers: ['UBEN'] } });
  },
);
