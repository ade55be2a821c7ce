import {
  type ApproverWatch,
  type Authority,
  createApproverWatch,
  createAuthority,
  createCaps,
  createRuleNow,
  createTrust,
  namedApprovers,
  type TrustAtWork,
  trustOnCard,
} from '../authority/index.ts';
import type { Borders } from '../borders.ts';
import { createFindJournal, createTrustEnds } from '../recorder/index.ts';
import { threadKey } from '../records/index.ts';
import type { Journals } from './journals.ts';

export interface Rights {
  readonly authority: Authority;
  /** For presses and words, which need an answer soon, even a failure. */
  readonly trust: ReturnType<typeof createTrust>;
  /** For runs and sweeps, which can wait through an outage. */
  readonly trustAtWork: TrustAtWork;
  readonly capsOfRun: ReturnType<typeof createCaps>;
  readonly approverWatch: ApproverWatch;
}

/** Makes the parts that decide who may, what needs asking, and how often calls may run. */
export function makeAuthority(
  { config, store, failFast, people, tools, entryId, elapsed, timers, appended, log, step }: Borders,
  { journals, ended }: { readonly journals: Journals; readonly ended: Parameters<typeof createTrust>[0]['ended'] },
): Rights {
  const { journalOf, failFastJournalOf, newTrustId, workspaces } = journals;
  const authority = createAuthority({
    tools,
    people,
    rules: config.rules,
    ruleNow: createRuleNow({ elapsed, timers, log }),
    requesterIn: async (thread) => {
      const { currentRun } = await failFast.thread(threadKey(thread), 1);
      return currentRun === undefined ? undefined : (await failFastJournalOf(currentRun).refresh())?.requester;
    },
  });
  const findJournal = createFindJournal({ store: failFast, journalOf: failFastJournalOf });
  const trusting = {
    entryId,
    elapsed,
    appended,
    recordEnd: createTrustEnds({ workspaces, shards: store.shards, appended, log }),
    step,
    newTrustId,
    ended,
    counts: authority.counts,
    isCurrent: authority.isCurrent,
    log,
    mayGive: authority.mayGive,
    decidedOn: async (id) => {
      const journal = await findJournal(id);
      const [asked, approval] = [journal?.state()?.approvals.get(id), await journal?.approval(id)];
      return asked && approval && trustOnCard(approval, asked);
    },
    endedBy: new Map(),
  } satisfies Omit<Parameters<typeof createTrust>[0], 'store'>;
  const capsOfRun = createCaps({
    caps: config.limits,
    prices: config.model.prices,
    store,
    stateOf: (run) => journalOf(run).refreshUnlessOver(),
  });
  const named = () => namedApprovers({ rules: config.rules, tools: tools.all });
  return {
    authority,
    trust: createTrust({ ...trusting, store: failFast }),
    trustAtWork: createTrust({ ...trusting, store }),
    capsOfRun,
    approverWatch: createApproverWatch({ people, named, log }),
  };
}
