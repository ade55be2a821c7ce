import { z } from 'zod';
import { canonical, type Timers } from '../../../interventions/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Log } from '../../log.ts';
import { orLog } from '../../or-log.ts';
import { type StoredDecisionRule, UserId } from '../../records/index.ts';
import { withLimit } from '../../time/index.ts';
import { ApproverId, type FindApprovers } from '../../tools/index.ts';
import type { JudgedCall, Judgement } from '../policy/policy.ts';

/** Asks the function of a deployment who may approve a call. Without a good answer in time, no person may. */

export type FoundRule =
  /** The rule as people are shown it: with the people who are named now. */
  { readonly rule: StoredDecisionRule } | { readonly why: string };

export type RuleNow = (
  judged: Pick<Judgement, 'rule' | 'findApprovers'>,
  call: Omit<JudgedCall, 'tool'> & { readonly tool: Pick<JudgedCall['tool'], 'name'> },
) => Promise<FoundRule>;

export interface LookUpDeps {
  /** Milliseconds that only go up. */
  readonly elapsed: () => number;
  readonly timers: Timers;
  readonly log: Log;
}

/** As long as Slack's answer about a person: enough for the questions and presses that come at once. */
const KEPT_MS = 5_000;
const MOST_KEPT = 500;

const Found = z.array(ApproverId).min(1).max(LIMITS.deciders);

export function createRuleNow({ elapsed, timers, log }: LookUpDeps): RuleNow {
  const kept = new WeakMap<FindApprovers, Map<string, { readonly sinceMs: number; readonly found: Promise<Answer> }>>();

  const ask = async (find: FindApprovers, call: Parameters<FindApprovers>[0]): Promise<Answer> => {
    const gone = new AbortController();
    // The function is code of the deployment. However it fails, no person may approve yet.
    const found = await orLog(log.warn, UNUSABLE, { tool: call.tool }, async () => {
      const late = { late: true } as const;
      const asked = (async () => find(call, { signal: gone.signal }))();
      const answer = await withLimit(asked, { ms: LIMITS.findApproversMs, late, timers });
      if (answer === late) throw new Error(`No answer came within ${LIMITS.findApproversMs / 1_000} s.`);
      return { approvers: Found.parse(answer).map((id) => UserId.parse(id)) };
    });
    gone.abort();
    return found ?? 'failed';
  };

  const askOnce = (find: FindApprovers, call: Parameters<FindApprovers>[0]): Promise<Answer> => {
    const answers = kept.get(find) ?? new Map();
    kept.set(find, answers);
    const key = canonical({ ...call });
    const known = answers.get(key);
    if (known !== undefined && elapsed() < known.sinceMs + KEPT_MS) return known.found;
    if (answers.size >= MOST_KEPT) answers.clear();
    const found = ask(find, call);
    answers.set(key, { sinceMs: elapsed(), found });
    // A failure is not remembered: the next press asks again.
    void found.then((answer) => answer === 'failed' && answers.delete(key));
    return found;
  };

  return async ({ rule, findApprovers }, { tool, input, thread, requester }) => {
    if (findApprovers === undefined) return { rule };
    const { team, channel, ts } = thread;
    const found = await askOnce(findApprovers, { tool: tool.name, input, requester, team, channel, thread: ts });
    if (found === 'failed') return { why: 'it could not be found out who may approve it just now' };
    return { rule: { ...rule, approvers: [...new Set(found.approvers)], lookedUp: true } };
  };
}

const UNUSABLE =
  'The function that names approvers gave no answer that can be used. No person may approve until it does.';

type Answer = { readonly approvers: readonly UserId[] } | 'failed';
