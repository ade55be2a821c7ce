import { expect, it } from 'vitest';
import { createRuleNow } from '../../../../app/authority/approvers/look-up.ts';
import { silentLog } from '../../../../app/log.ts';
import { systemTimers } from '../../../../app/time/index.ts';
import { THREAD, user } from '../../../support/journal.ts';

/** A rota that gives these answers in turn, and a clock that the test moves. */
function rota(...answers: readonly (() => string[])[]) {
  let nowMs = 0;
  let asked = 0;
  const ruleNow = createRuleNow({ elapsed: () => nowMs, timers: systemTimers, log: silentLog });
  const findApprovers = async () => {
    asked += 1;
    return answers[asked - 1]?.() ?? [];
  };
  const rule = { approvers: [], selfApproval: false };
  const call = { tool: { name: 'restart' }, input: {}, thread: THREAD, requester: user('UANN') };
  return {
    found: () => ruleNow({ rule, findApprovers }, call),
    asked: () => asked,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}
const onCall = (id: string) => () => [id];
const away = () => {
  throw new Error('no connection');
};
const named = (id: string) => ({ rule: { approvers: [id], selfApproval: false, lookedUp: true } });

it('a rota is asked once for the presses of five seconds, and again after that (SURF-2)', async () => {
  const { found, asked, pass } = rota(onCall('UBEN'), onCall('UZOE'));

  expect([await found(), await found()]).toEqual([named('UBEN'), named('UBEN')]);
  expect(asked()).toBe(1);
  pass(5_000);

  expect(await found()).toEqual(named('UZOE'));
});

it('a rota that failed is asked again by the next press, and until then no person may approve (SURF-2)', async () => {
  const { found } = rota(away, onCall('UBEN'));

  expect(await found()).toEqual({ why: 'it could not be found out who may approve it just now' });
  expect(await found()).toEqual(named('UBEN'));
});
