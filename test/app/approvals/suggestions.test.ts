import { isDeepStrictEqual } from 'node:util';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { approvedInARow, createSuggestRule } from '../../../app/approvals/suggestions.ts';
import { judgeCall } from '../../../app/authority/policy/policy.ts';
import { checkConfig } from '../../../app/config/check.ts';
import { suggestedRule } from '../../../app/journal/index.ts';
import { LIMITS } from '../../../app/limits.ts';
import { silentLog } from '../../../app/log.ts';
import type { Approval } from '../../../app/records/index.ts';
import { restartService } from '../../../example/tools/restart-service.ts';
import { ANN, approved, BEN, everyState, THREAD } from '../../handlers/views/records.ts';
import { reachNothing } from '../../support/reach.ts';

const yes: Approval = approved();
const about = { tool: 'restart_service', input: yes.input, requester: ANN, after: 3 };
const denied = everyState().find(({ status }) => status === 'denied') ?? yes;
const edited = everyState().find((one) => 'decision' in one && one.decision.edit !== undefined) ?? yes;

describe('suggestions after several yeses in a row (T10)', () => {
  it('propose a rule that a configuration takes unchanged and that ends the asking', () => {
    const times = approvedInARow([yes, yes, yes], about);
    const text = suggestedRule({ ...about, approvedInARow: times }) ?? '';
    // A person copies the rule into the configuration, which is code.
    const rule: unknown = runInThisContext(`(isDeepStrictEqual) => (${text})`)(isDeepStrictEqual);
    const deps = { now: () => 0, reach: reachNothing };
    const config = checkConfig({ tools: [restartService], rules: [rule] }, deps);
    const call = { tool: restartService, input: JSON.parse(yes.input), thread: THREAD, requester: ANN };

    expect(judgeCall([], call).effect).toBe('asked');
    expect(judgeCall(config.rules, call).effect).toBe('open');
    expect(judgeCall(config.rules, { ...call, requester: BEN }).effect).toBe('asked');
    expect(judgeCall(config.rules, { ...call, input: { service: 'another' } }).effect).toBe('asked');
  });

  it.each<[string, readonly Approval[]]>([
    ['too few', [yes, yes]],
    ['a no among them', [yes, denied, yes, yes]],
    ['one that changed the input', [yes, edited, yes]],
    ['another input among them (SURF-1)', [yes, approved({ input: '{"service":"another"}' }), yes]],
    ['the same suggestion with one of them (SURF-1)', [yes, approved({ suggestion: 'a rule' }), yes]],
    ['another tool', [approved({ tool: 'other' }), yes, yes]],
    ['another person', [approved({ requester: BEN }), yes, yes]],
  ])('propose nothing with %s', (_what, settled) => {
    expect(approvedInARow(settled, about)).toBeUndefined();
  });

  it('give the yeses in a row as the reason of the rule, and nothing of earlier answers', () => {
    const times = approvedInARow([yes, yes, yes, denied], about);

    expect(times).toBe(3);
    expect(suggestedRule({ ...about, approvedInARow: times })).toContain(
      "because: 'Approved 3 times in a row with this input.' }",
    );
  });

  it('look at a part of the answers of a busy day only, because a question waits for that', async () => {
    const asked: (number | undefined)[] = [];
    const settledFor = async (_by: unknown, most?: number) => {
      asked.push(most);
      return [];
    };

    await createSuggestRule({ settledFor, after: 3, log: silentLog })({
      ...about,
      requester: { user: ANN, team: 'T1' },
    });

    expect(asked).toEqual([LIMITS.suggestRead]);
  });

  it('stay away when earlier answers cannot be read, and the question is asked all the same', async () => {
    const suggestRule = createSuggestRule({
      settledFor: () => Promise.reject(new Error('away')),
      after: 3,
      log: silentLog,
    });

    expect(await suggestRule({ ...about, requester: { user: ANN, team: 'T1' } })).toBeUndefined();
  });
});
