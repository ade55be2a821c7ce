import { createHookRegistry, type HookRegistry, type Message } from '../../../interventions/index.ts';
import {
  type ConversationManager,
  createTracing,
  fittingModel,
  type LoopOptions,
  runLoop,
  type Tracing,
} from '../../agent/index.ts';
import { CapReachedError, type RunCaps } from '../../authority/index.ts';
import type { Clock } from '../../clock.ts';
import { given } from '../../given.ts';
import { callNow, decideStop, type RunState } from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import { endOf, type RunJournal } from '../../recorder/index.ts';
import type { Store } from '../../store/index.ts';
import type { Surface } from '../../surface.ts';
import { betweenReadings } from '../../tools/index.ts';
import { askInDoubt, isInDoubt } from '../asking/doubting.ts';
import { createWaits, type Waits } from '../asking/waits.ts';
import { earlierMessages } from '../gate/earlier.ts';
import { digestText } from '../gate/granted-call.ts';
import { known } from '../gate/known.ts';
import { createRecording } from '../gate/recording.ts';
import { createRunGate, type RunGateDeps } from '../gate/run-gate.ts';
import { guardedTool, type ToolRunnerDeps } from '../gate/tool-runner.ts';
import { withinMedia } from '../telling/media.ts';
import type { Posts } from '../telling/posts.ts';
import { type RetriedModelDeps, retriedModel } from '../telling/retried-model.ts';
import { createToolLog, type ToolLog } from '../telling/tool-log.ts';
import { latest, readTranscript, type Transcript, textOf } from '../telling/transcript.ts';
import { createWriting, type WritingDeps } from '../telling/writing.ts';
import { type AgentOutcome, endingAfter, endingOf } from './ending.ts';
import type { RunInHand } from './in-hand.ts';
import { takeIncoming } from './incoming.ts';
import { createShownMessages } from './shown-messages.ts';

/** Lets the agent go on from where the journal stands, until it comes to rest. Never rejects. */
export type AgentRun = (run: RunInHand, posts: Posts) => Promise<AgentOutcome>;

export interface AgentRunDeps
  extends RetriedModelDeps,
    RunGateDeps,
    Pick<ToolRunnerDeps, 'attempts' | 'lines' | 'toolTimeoutMs' | 'toolOutputChars' | 'timers' | 'elapsed' | 'log'> {
  readonly store: Pick<Store, 'thread' | 'read' | 'readItems'>;
  readonly conversation: ConversationManager;
  readonly system: string;
  readonly capsOfRun: () => RunCaps;
  readonly surface: Surface;
  readonly turnsPerRun: number;
  readonly toolCallsPerTurn: number;
  readonly clock: Clock;
}

/** The traces of all runs of this process. */
interface RunTraces {
  readonly tracing: Tracing;
  readonly hooks: HookRegistry;
}

export function createAgentRun(parts: AgentRunDeps): AgentRun {
  const deps = { ...parts, ...traceRuns() };
  return async (run, posts) => {
    try {
      return await runToRest(deps, run, posts);
      // Whatever fails in the run, its end is written and told in words; `endingAfter` finds them.
    } catch (error) {
      return endingAfter(error, () => canWrite(deps, run.journal));
    }
  };
}

/** Names and times only: what people say and what tools are given stays out of traces. */
function traceRuns(): RunTraces {
  const tracing = createTracing({
    agentName: 'Countersign',
    attributes: ({ run, team }) => ({ 'countersign.run': run, 'countersign.team': team }),
  });
  const hooks = createHookRegistry();
  hooks.addHook(tracing);
  return { tracing, hooks };
}

async function runToRest(deps: AgentRunDeps & RunTraces, run: RunInHand, posts: Posts): Promise<AgentOutcome> {
  const { tools, surface, tracing, hooks, log } = deps;
  const { journal } = run;
  const state = known(journal);
  const transcript = readTranscript(state, await journal.items());
  const newest = state.said.at(-1);
  // A process may die between the last answer and the end of the run. The model must not answer once more.
  if (transcript.pending === undefined && newest?.type === 'turn' && newest.last) return { type: 'finished' };
  const earlier = await earlierMessages(deps.journalOf, state);
  const toolLog = createToolLog(deps, journal.run);
  const summarise = summariser(deps, journal, toolLog);
  const { by } = deps.asking;
  const writing = createWriting({ ...deps, by, summarise }, journal);
  const caps = deps.capsOfRun();
  const saidBefore = transcript.pending === undefined ? '' : textOf(transcript.pending.message);
  const shownMessages = createShownMessages(state);
  const telling = { posts, by, writing, shownMessages };
  const recording = createRecording({ ...deps, ...telling, hold: run, caps }, journal, saidBefore);
  const waits = createWaits({ hold: run, writing, surface }, journal);

  const capReached = async (words: string) => recording.ends(await stopAtCap(deps, journal, words));
  const notRepeated = new Set<string>();
  const runner: ToolRunnerDeps = {
    ...deps,
    journal,
    stopped: run.stopped,
    takenOver: recording.loses,
    storeFailed: recording.ends,
    notRepeated,
    toolLog,
    caps,
    capReached,
  };

  const gated = { journal, posts, caps, capReached, waits, recording, toolLog, traced: tracing.ask };

  // If the model says that the messages are too many, it is shown fewer. The journal keeps all of them.
  const fitting = fittingModel(retriedModel(deps, journal.run, writing.takeBack), deps.conversation, (message) =>
    log.warn(message, { run: journal.run }),
  );
  const loop = runLoop({
    state: whereItStands(state, earlier, transcript),
    model: tracing.model(fitting.model),
    hooks,
    onEvent: writing.show,
    tools: tools.all.map((tool) => guardedTool(runner, tool)),
    interventions: createRunGate(deps, gated),
    system: deps.system,
    record: recording.record,
    becameOf: asksInDoubt(deps, run, { waits, notRepeated, toolLog }),
    incoming: async () => {
      const messages = await takeIncoming({ ...deps, shownMessages }, journal);
      for (const message of messages) recording.knows(message);
      return messages;
    },
    invocationState: { run: journal.run, team: state.thread.team, requester: state.requester, thread: state.thread },
    signal: run.signal,
    limits: { turns: deps.turnsPerRun - state.turns, toolCallsPerTurn: deps.toolCallsPerTurn },
    hash: digestText,
    betweenReadings,
    clock: deps.clock,
    timers: deps.timers,
    warn: ({ message, ...about }) => log.warn(message, about),
  });
  // Not awaited here: while people are waited for, what this function read of the run need not stay in memory.
  return loop.finally(writing.end).then((outcome) => endingOf(outcome, deps.turnsPerRun));
}

/** The conversation that the loop goes on from. */
function whereItStands(
  { turns }: RunState,
  earlier: readonly Message[],
  { messages, pending }: Transcript,
): LoopOptions['state'] {
  return {
    messages: withinMedia([...latest(earlier, LIMITS.transcriptMessages), ...messages], LIMITS.mediaChars),
    turn: turns,
    ...given({ pending }),
  };
}

/**
 * Stops the run before the loop hears of the cap: other calls of the same turn may wait for people, and their cards
 * must not stay open.
 */
async function stopAtCap({ asking }: AgentRunDeps, journal: RunJournal, words: string): Promise<CapReachedError> {
  await journal.decide((now) => decideStop(now, { cause: words }), 'over');
  await asking.waiting.look(journal.run);
  return new CapReachedError(words);
}

interface InDoubt {
  readonly waits: Waits;
  readonly notRepeated: ReadonlySet<string>;
  readonly toolLog: ToolLog;
}

/** Asks people what became of a call that may have run; `undefined` when there is nothing to ask. */
function asksInDoubt(
  deps: AgentRunDeps,
  { journal, signal }: RunInHand,
  { waits, notRepeated, toolLog }: InDoubt,
): NonNullable<LoopOptions['becameOf']> {
  return async (toolUse) => {
    const now = known(journal);
    const call = callNow(now, toolUse.toolUseId);
    if (!isInDoubt(deps.tools, now, call) && !notRepeated.has(call)) return undefined;
    return waits(() => askInDoubt({ ...deps.asking, ...deps, toolLog }, journal, toolUse, signal));
  };
}

/** Describes a call in one sentence without its secrets. */
function summariser(
  { tools, redaction }: AgentRunDeps,
  journal: RunJournal,
  toolLog: ToolLog,
): WritingDeps['summarise'] {
  return ({ toolUseId, name, input }) => {
    const tool = tools.find(name);
    if (tool === undefined) return name;
    const about = { call: callNow(known(journal), toolUseId), tool, input };
    const sentence = tool.summarise(input, toolLog.failed(about));
    return redaction.text(sentence, redaction.input(tool, input).hidden);
  };
}

async function canWrite({ store }: AgentRunDeps, journal: RunJournal): Promise<boolean> {
  return endOf(store, journal.run).then(
    () => true,
    () => false,
  );
}
