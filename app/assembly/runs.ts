import { slidingWindow, systemPrompt } from '../agent/index.ts';
import { createSuggestRule } from '../approvals/index.ts';
import type { Borders } from '../borders.ts';
import type { RecordKeeping } from '../keeping/index.ts';
import type { LeaveToNewer } from '../recorder/index.ts';
import {
  createAgentRun,
  createIsLostThread,
  createRuns,
  createTellLostRecord,
  type Runs,
  type RunsAtWork,
} from '../runs/index.ts';
import { runIdFor, shardOfThread } from '../store/index.ts';
import type { Retries } from '../time/index.ts';
import type { AnsweringParts, AnswerServices } from './answering.ts';

export interface RunParts extends Omit<AnsweringParts, 'take'> {
  readonly approvals: AnswerServices['approvals'];
  readonly keeping: RecordKeeping;
  readonly leaveToNewer: LeaveToNewer;
  readonly retries: Retries;
}

/** Makes the runs, from a message to the last reply. */
export function makeRuns(borders: Borders, parts: RunParts): Runs & RunsAtWork {
  const { store, failFast, surface, work, timers, elapsed, log, step } = borders;
  const { attempts, by, patienceMs } = parts.process;
  const { waiting, copies, cards, lines } = parts.questions;
  const { journalOf, failFastJournalOf } = parts.journals;
  const bornMs = elapsed();
  const retainMs = borders.config.retention?.afterMs;
  return createRuns({
    store,
    failFast,
    failFastJournalOf,
    surface,
    cards,
    lines,
    copies,
    waiting,
    leaveToNewer: parts.leaveToNewer,
    retries: parts.retries,
    journalOf,
    tellLostRecord: createTellLostRecord({ store, surface, log, retainMs, aliveMs: () => elapsed() - bornMs }),
    isLostThread: createIsLostThread({ store: failFast, surface, retainMs, elapsed, log }),
    runAgent: makeAgentRun(borders, parts),
    log,
    step,
    elapsed,
    attempts,
    patienceMs,
    by,
    runIdFor: (thread, message) => runIdFor(thread, message, shardOfThread(thread, store.shards)),
    seals: parts.keeping.seals,
    timers,
    kick: work.kick,
    hold: work.hold,
    admins: borders.people,
  });
}

function makeAgentRun(
  borders: Borders,
  { journals, process, questions, rights, approvals }: RunParts,
): ReturnType<typeof createAgentRun> {
  const { config, surface, log, step } = borders;
  const { waiting, cards, lines } = questions;
  const { authority, trustAtWork: trust, capsOfRun } = rights;
  return createAgentRun({
    store: borders.store,
    redaction: borders.redaction,
    suggestRule: createSuggestRule({ settledFor: approvals.settledFor, after: config.limits.suggestAfter, log }),
    journalOf: journals.journalOf,
    tools: borders.tools,
    trust,
    authority,
    people: borders.people,
    capsOfRun,
    cards,
    lines,
    surface,
    log,
    step,
    elapsed: borders.elapsed,
    attempts: process.attempts,
    model: borders.model,
    modelAttempts: config.model.attempts,
    system: systemPrompt({ instructions: config.instructions }),
    asking: {
      surface,
      cards,
      waiting,
      log,
      step,
      by: process.by,
      grantTrust: trust.grantTrust,
      newQuestionId: journals.newQuestionId,
    },
    conversation: slidingWindow(),
    ...config.limits,
    ...config.times,
    timers: borders.timers,
    clock: borders.clock,
  });
}
