import {
  type ApproverWatch,
  type Authority,
  createApproverWatch,
  createAuthority,
  createCaps,
  createRuleNow,
  createTrust,
  namedApprovers,
  trustLine,
  trustOnCard,
} from '../authority/index.ts';
import type { Borders } from '../borders.ts';
import { createFindJournal, createTrustEnds } from '../recorder/index.ts';
import { threadKey } from '../records/index.ts';
import type { Journals } from './journals.ts';

export interface Rights {
  readonly authority: Authority;
  readonly trust: ReturnType<typeof createTrust>;
  readonly capsOfRun: ReturnType<typeof createCaps>;
  readonly approverWatch: ApproverWatch;
}

/** Makes the parts that decide who may, what needs asking, and how often calls may run. */
export function makeAuthority(
  { config, store, people, tools, entryId, elapsed, timers, appended, log, step }: Borders,
  { journals, ended }: { readonly journals: Journals; readonly ended: Parameters<typeof createTrust>[0]['ended'] },
): Rights {
  const { journalOf, newTrustId, workspaces } = journals;
  const authority = createAuthority({
    tools,
    people,
    rules: config.rules,
    ruleNow: createRuleNow({ elapsed, timers, log }),
    requesterIn: async (thread) => {
      const { currentRun } = await store.thread(threadKey(thread), 1);
      return currentRun === undefined ? undefined : (await journalOf(currentRun).refresh())?.requester;
    },
  });
  const findJournal = createFindJournal({ store, journalOf });
  const trust = createTrust({
    store,
    entryId,
    elapsed,
    appended,
    recordEnd: createTrustEnds({ workspaces, shards: store.shards, appended, log }),
    step,
    newTrustId,
    trustLine,
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
  });
  const capsOfRun = createCaps({
    caps: config.limits,
    prices: config.model.prices,
    store,
    stateOf: (run) => journalOf(run).refresh(),
  });
  const named = () => namedApprovers({ rules: config.rules, tools: tools.all });
  return { authority, trust, capsOfRun, approverWatch: createApproverWatch({ people, named, log }) };
}
