import type { Timers } from '../../../interventions/index.ts';
import { decideEnd, decideStop } from '../../journal/index.ts';
import { orLog } from '../../or-log.ts';
import { type RunJournal, SetBackError } from '../../recorder/index.ts';
import { NotYetError, type Surface, UnreachableError } from '../../surface.ts';
import { withLimit } from '../../time/index.ts';
import type { Attempts } from '../gate/attempts.ts';
import { known } from '../gate/known.ts';
import type { TellLostRecord } from '../telling/lost-record.ts';
import { dropWriting } from '../telling/placed-reply.ts';
import type { PostingDeps } from '../telling/post-once.ts';
import { createPosts, owedPosts, type Posts, payPosts } from '../telling/posts.ts';
import type { TrustedLines } from '../telling/trusted-lines.ts';
import { WORDS } from '../telling/words.ts';
import type { AgentRun } from './agent-run.ts';
import type { AgentOutcome } from './ending.ts';
import type { RunInHand } from './in-hand.ts';
import { isOverAndPaid } from './left-to-do.ts';
import { showWork } from './session.ts';
import { TakenOverError } from './taken-over.ts';
import { endUnheard, tellUnheard, type UnheardDeps } from './unheard.ts';
import { reportUnknown, type UnknownDeps } from './unknown-calls.ts';

export interface DriveDeps extends UnknownDeps, UnheardDeps, PostingDeps {
  readonly surface: Surface;
  readonly lines: TrustedLines;
  readonly attempts: Attempts;
  /** Runs the agent from where the journal stands until it comes to rest. */
  readonly runAgent: AgentRun;
  readonly timers: Timers;
  readonly tellLostRecord: TellLostRecord;
}

/** When a run whose beginning is not on record is tried again: many replicas write to the journal of its workspace. */
const AGAIN_MS = 1_000;

/**
 * Slack's rate may leave no room for a painting for a minute. The painting then goes on alone, and the thread comes up again to see
 * it done: a thread in hand keeps others waiting.
 */
const PAINTING_LIMIT = { ms: 2_000, late: 'late' } as const;
const PAINTED_BY_MS = 5_000;

/** How a run came to rest in this process. */
export type RunOutcome =
  /** Slack did not take all posts. They are tried again after this time. */
  | { readonly offerInMs: number }
  /** It is over, and the thread knows. */
  | 'over'
  /** A person has to answer first. The run then goes on from the journal. */
  | 'parked'
  /** Something must be tried again, or belongs to another process. */
  | 'later';

/**
 * Drives a run in one process: finds out where it stands, pays what is owed, lets the agent go on, and writes the end.
 * The process may die at any line: everything that must happen next follows from the journal.
 */
export async function driveRun(deps: DriveDeps, run: RunInHand): Promise<RunOutcome> {
  const { journal } = run;
  try {
    const rest = await driveInWorkspace(deps, run);
    deps.retries.done(journal.run);
    return rest;
    // Another process may have the run, or Slack may refuse or be away. Any other failure goes to the caller.
  } catch (error) {
    if (error instanceof TakenOverError) return leaveToOther(deps, journal, error);
    if (error instanceof SetBackError) return leaveSetBack(deps, journal, error);
    if (error instanceof NotYetError) return await tryAgain(deps, journal, error);
    if (error instanceof UnreachableError) return await endUnheard(deps, journal, error);
    throw error;
  } finally {
    // Ends the waits for people that are still open. They write nothing more.
    run.letGo('parked');
  }
}

async function tryAgain(deps: DriveDeps, journal: RunJournal, error: NotYetError): Promise<RunOutcome> {
  const offerInMs = deps.retries.next(journal.run);
  if (offerInMs === undefined) return endUnheard(deps, journal, error);
  deps.log.warn('Slack did not take all of a run; it is tried again.', { run: journal.run, offerInMs, error });
  return { offerInMs };
}

async function driveInWorkspace(deps: DriveDeps, run: RunInHand): Promise<RunOutcome> {
  const { surface, cards, lines, timers } = deps;
  const { journal } = run;
  const status = journal.state()?.status.type;
  if (status === undefined) return 'over';
  const end: RunJournal['commit'] = (decide) => deps.seals.end(journal, decide, isOverAndPaid);
  const posts = createPosts({ ...deps, end }, journal);

  if (!(await reportUnknown(deps, journal, posts))) return 'later';
  await tellSetBack(journal, posts);
  if (status === 'running') await deps.tellLostRecord(journal, posts);
  await payPosts(journal, posts);
  await dropWriting(surface, journal);
  for (const { settle } of [cards, lines]) await withLimit(settle(journal), { ...PAINTING_LIMIT, timers });

  const rest = journal.state()?.status.type === 'running' ? await letAgentGoOn(deps, run, posts) : undefined;
  return rest ?? payAndSeal(deps, journal, posts);
}

/** Lets the agent go on, and writes the end of the run. Returns `undefined` when it is written and the drive goes on. */
async function letAgentGoOn(deps: DriveDeps, run: RunInHand, posts: Posts): Promise<RunOutcome | undefined> {
  const { surface, cards, log } = deps;
  const { journal } = run;
  // The audit knows a run by its beginning. A run with an answer has it: no process asks the model before.
  if (known(journal).turns === 0 && (await deps.seals.begin(journal)) === 'later') return { offerInMs: AGAIN_MS };
  const stopShowing = await showWork(deps, run);
  const ending = await deps
    .runAgent(run, posts)
    .then((ended) => deps.attempts.allEnded(journal.run).then(() => ended))
    .finally(stopShowing);
  const rest = await conclude(deps, journal, posts, ending);
  if (rest === 'parked') {
    await cards.settle(journal);
    // Slack may be away. The unfinished reply stays owed, and the next drive deletes it.
    await orLog(log.info, 'Half an answer could not be taken back yet.', { run: journal.run }, () =>
      dropWriting(surface, journal),
    );
  }
  if (rest !== undefined) return rest;
  // Another process may have begun a call meanwhile. The run is over, so no later drive would report it.
  return (await reportUnknown(deps, journal, posts)) ? undefined : 'later';
}

/** Pays all that a run owes that is over, and seals it. */
async function payAndSeal(deps: DriveDeps, journal: RunJournal, posts: Posts): Promise<RunOutcome> {
  const { surface, cards, lines, copies, timers, log } = deps;
  await payPosts(journal, posts);
  await dropWriting(surface, journal);
  for (const { settle } of [cards, lines, copies]) {
    const settled = await withLimit(settle(journal), { ...PAINTING_LIMIT, timers });
    if (settled === 'late') return { offerInMs: PAINTED_BY_MS };
    if (settled instanceof UnreachableError) throw settled;
    if (settled === 'owing')
      throw new NotYetError('A card, a line or a direct message could not be shown yet. It is tried again.');
  }
  if ((await tellUnheard(deps, journal)) === 'owing') {
    throw new NotYetError('The requester could not be told yet how a run ended. It is tried again.');
  }
  if ((await deps.seals.seal(journal)) === 'later') return 'later';
  // A stop has come meanwhile, for what waited behind this run.
  if (owedPosts(known(journal)).length > 0) return payAndSeal(deps, journal, posts);
  await deps.step('run-paid');
  log.info('A run came to its end.', { run: journal.run, status: journal.state()?.status.type });
  return 'over';
}

/** Writes the end of a run. Returns `undefined` when it is written. */
async function conclude(
  deps: DriveDeps,
  journal: RunJournal,
  posts: Posts,
  ending: AgentOutcome,
): Promise<RunOutcome | undefined> {
  const { log, step } = deps;
  switch (ending.type) {
    case 'finished': {
      const ended = await journal.decide(decideEnd, 'unanswered');
      if (ended === 'late' || ended === 'unanswered') {
        log.warn('The store has lost the last answer of a run. The run goes on from what is left.', {
          run: journal.run,
        });
        return 'later';
      }
      await step('run-finished');
      return undefined;
    }
    case 'parked':
      return 'parked';
    case 'cancelled':
      // The stop is in the journal already, and the thread is told from there.
      return undefined;
    case 'newer':
      throw ending.error;
    case 'capped':
      await stop(journal, ending.words);
      return undefined;
    case 'failed': {
      if (ending.error instanceof SetBackError) throw ending.error;
      if (ending.error instanceof TakenOverError) return leaveToOther(deps, journal, ending.error);
      if (ending.storeAway) {
        log.warn('The store cannot be reached; the run goes on when it can.', {
          run: journal.run,
          error: ending.error,
        });
        await posts.shout(WORDS.storeAway);
        return 'later';
      }
      log.error('A run failed.', { run: journal.run, error: ending.error });
      await stop(journal, ending.words);
      return undefined;
    }
  }
}

function leaveToOther({ log }: DriveDeps, { run }: RunJournal, error: TakenOverError): RunOutcome {
  log.info('A run is left for a while: another process has it, or had it when it ended.', { run, error });
  return 'later';
}

/** The next drive tells the thread, and goes on from what the store has. */
function leaveSetBack({ log }: DriveDeps, { run }: RunJournal, error: SetBackError): RunOutcome {
  log.warn('The store has lost entries of a run. The run goes on from what is left.', { run, error });
  return 'later';
}

async function tellSetBack(journal: RunJournal, posts: Posts): Promise<void> {
  if (!journal.wasSetBack()) return;
  await posts.say(`set-back/${known(journal).version}`, { text: WORDS.setBack });
  journal.setBackTold();
}

const stop = (journal: RunJournal, cause: string) => journal.decide((state) => decideStop(state, { cause }), 'over');
