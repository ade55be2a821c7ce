import { slidingWindow, systemPrompt } from './agent/index.ts';
import { checkEdit, createApprovals, createSuggestions, type EditDeps } from './approvals/index.ts';
import { createAuthority, createCaps, createTrust, trustLine } from './authority/index.ts';
import type { Borders } from './borders.ts';
import { newId, runIdFor } from './ids.ts';
import { createDue, createRecordKeeping, createUsage, type RecordKeeping, type UsageOf } from './keeping/index.ts';
import { LIMITS } from './limits.ts';
import {
  type Cards,
  createCards,
  createCopies,
  createDoubts,
  createFeedback,
  createInquiries,
  createReminders,
  createWaiting,
  type Feedback,
  type LostCard,
} from './questions/index.ts';
import { createRefusals, createWorkspaceJournal, openRunJournal, type RunJournal } from './recorder/index.ts';
import { type ApprovalId, type GrantId, type RunId, type ThreadKey, threadKey } from './records/index.ts';
import {
  chosenResult,
  createAgentRun,
  createAttempts,
  createRuns,
  createToolLog,
  createTrustedLines,
  digestText,
  postInquiryCard,
  type Runs,
  type RunsAtWork,
  showAgain,
  unknownResult,
  WORDS,
} from './runs/index.ts';
import { createSafeWords } from './secrets/index.ts';
import { type DueItem, shardOfTeam, shardOfThread } from './store/index.ts';
import { createRetries } from './time/index.ts';
import { leave } from './workspaces/index.ts';

/** What the door to people answers with, what a process works on, and what it tells of itself. */
export interface Core {
  readonly runs: Runs & RunsAtWork;
  readonly approvals: ReturnType<typeof createApprovals>;
  readonly inquiries: ReturnType<typeof createInquiries>;
  readonly doubts: ReturnType<typeof createDoubts>;
  readonly trust: ReturnType<typeof createTrust>;
  readonly feedback: Feedback;
  readonly usage: UsageOf;
  readonly configuration: RecordKeeping['configuration'];
  readonly onDue: (item: DueItem) => Promise<void>;
  /** The app was removed from a workspace. */
  readonly left: (team: string) => Promise<void>;
}

/** Makes the parts that decide once, and hands each what it needs of the others. Nothing here knows Slack or a network. */
export function assemble(borders: Borders): Core {
  const { config, store, quick, surface, people, tools, work, redaction, misfit, log, step, elapsed, timers } = borders;
  const { clock, entryId, appended, sealsItems } = borders;
  /** No other process can exist on the embedded store, so nobody is waited for. */
  const isAlone = store.engine === 'sqlite';
  const counts = config.limits.perRequester !== undefined || config.limits.perTool !== undefined;
  const recording = { store, entryId, elapsed, appended, sealsItems, counts };
  const safe = createSafeWords(redaction, tools.find);
  const journalOf = (run: RunId): RunJournal => openRunJournal(recording, run);
  const quickJournalOf = (run: RunId): RunJournal => openRunJournal({ ...recording, store: quick }, run);
  const newGrantId = (team: string): GrantId => newId('g', shardOfTeam(team, store.shards));
  const newQuestionId = (run: RunId): ApprovalId => newId('a', Number(run.slice(0, 2)));

  const attempts = createAttempts(entryId);
  const posting = { by: entryId(), patienceMs: isAlone ? 0 : LIMITS.postPatienceMs };
  const again = (journal: RunJournal, lost: LostCard): Promise<void> =>
    showAgain({ surface, waiting, posting, cards, log, step }, journal, lost);
  const copies = createCopies({ surface, log, step });
  const cards: Cards = createCards({ surface, showAgain: again, copies, log, step });
  const lines = createTrustedLines({ surface, posting, log, step });
  const waiting = createWaiting({ log });
  const inquiries = createInquiries({
    store: quick,
    journalOf,
    quickJournalOf,
    surface,
    showCard: (journal, id) => postInquiryCard({ surface, posting, waiting, log, step }, journal, id),
    cards,
    waiting,
    log,
    step,
    newInquiryId: newQuestionId,
    misfit,
  });
  const authority = createAuthority({
    tools,
    people,
    rules: config.rules,
    requesterIn: async (thread) => {
      const { currentRun } = await store.thread(threadKey(thread));
      return currentRun === undefined ? undefined : (await journalOf(currentRun).refresh())?.requester;
    },
  });

  const capsOfRun = createCaps({
    caps: config.limits,
    prices: config.model.prices,
    store,
    stateOf: (run) => journalOf(run).refresh(),
  });

  const trust = createTrust({
    ...recording,
    newGrantId,
    lineFor: trustLine,
    ended: (approval, by) => approvals.trustEnded(approval, by),
    counts: authority.counts,
    isCurrent: authority.isCurrent,
    mayGive: authority.mayGive,
  });

  // The hint tells whoever is awake; after the grace, somebody else is to take it.
  const wake = (thread: ThreadKey): void => work.kick(thread, isAlone ? 0 : LIMITS.graceMs);

  const approvals = createApprovals({
    store: quick,
    journalOf: quickJournalOf,
    cards,
    ...borders.views,
    offer: authority.offer,
    misfit,
    safe,
    checkEdit: (run, asked, before, typed) => {
      const { call } = asked;
      const failed: EditDeps['failed'] = (tool, input, ...failure) =>
        createToolLog({ log, redaction }, run).failed({ call, tool, input }, ...failure);
      return checkEdit({ tools, digest: digestText, redaction, failed }, asked, before, typed);
    },
    newGrantId,
    now: clock.now,
    log,
    step,
    mayDecide: authority.mayDecide,
    lostYeses: authority.lostYeses,
    groupsOf: authority.groupsOf,
    termsOfEdit: authority.termsOfEdit,
    grantTrust: trust.grantFrom,
    showAgain: again,
    callByName: surface.callByName,
    request: ({ id, thread, tool, summary, input }, by) =>
      runs.take({
        thread,
        user: by.user,
        userTeam: by.team,
        ts: `again:${id}`,
        text: WORDS.askAgain({ tool, summary, input }),
      }),
    wake,
  });

  const doubts = createDoubts({
    store: quick,
    journalOf: quickJournalOf,
    cards,
    mayChoose: authority.mayTell,
    safe,
    results: { chosen: chosenResult, unknown: unknownResult },
    wake,
    log,
    step,
  });

  const runAgent = createAgentRun({
    store,
    redaction,
    suggestions: createSuggestions({ settledFor: approvals.settledFor, after: config.limits.suggestAfter, log }),
    journalOf,
    tools,
    trust,
    authority,
    people,
    capsOfRun,
    cards,
    lines,
    surface,
    log,
    step,
    elapsed,
    attempts,
    model: borders.model,
    modelAttempts: config.model.attempts,
    system: systemPrompt({ instructions: config.instructions }),
    asking: {
      ...{ surface, cards, waiting, log, step, posting },
      giveTrust: trust.grantFrom,
      newApprovalId: newQuestionId,
    },
    newDoubtId: newQuestionId,
    conversation: slidingWindow(),
    ...config.limits,
    ...config.times,
    timers,
    clock,
  });

  const { configuration, seals, retention } = createRecordKeeping({
    ...{ config, store, journalOf, surface, copies, tools, log, step },
    policyOf: authority.policyOf,
    workspaces: createWorkspaceJournal(recording),
  });
  const refusals = createRefusals({ elapsed, log });
  const retries = createRetries({ elapsed });
  const runs = createRuns({
    store,
    quick,
    quickJournalOf,
    surface,
    cards,
    lines,
    copies,
    waiting,
    refusals,
    retries,
    journalOf,
    runAgent,
    log,
    step,
    elapsed,
    attempts,
    patienceMs: isAlone ? 0 : LIMITS.leaseMs,
    posting,
    runIdFor: (thread, message) => runIdFor(thread, message, shardOfThread(thread, store.shards)),
    seals,
    timers,
    kick: work.kick,
    hold: work.hold,
  });

  const reminders = createReminders({
    ...{ store, journalOf, surface, copies, people, retries, log, step },
    mayDecide: authority.mayDecide,
  });
  const leaving = { store: quick, journalOf: quickJournalOf, endTrust: trust.endAll, kick: work.kick, log };

  return {
    runs,
    approvals,
    inquiries,
    doubts,
    trust,
    configuration,
    feedback: createFeedback({ journalOf: quickJournalOf, log }),
    usage: createUsage({ store: quick, journalOf: quickJournalOf, prices: config.model.prices }),
    onDue: createDue({ approvals, inquiries, doubts, reminders, retention, refusals, store }),
    left: (team) => leave(leaving, team),
  };
}
