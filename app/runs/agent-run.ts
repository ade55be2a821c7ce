import { GateChangedError, isJson, type Json, type Message, type Timers } from '../../interventions/index.ts';
import { runLoop } from '../agent/loop.ts';
import type { ConversationManager } from '../agent/memory/conversation.ts';
import { fittingModel } from '../agent/memory/fitting.ts';
import { ModelError } from '../agent/model-error.ts';
import type { LoopFact, RecordFact } from '../agent/ports.ts';
import { createTracing } from '../agent/tracing.ts';
import type { Authority } from '../authority.ts';
import { CapReachedError, type RunCaps } from '../caps.ts';
import type { Cards } from '../cards.ts';
import type { Clock } from '../clock.ts';
import { decideStop } from '../journal/decide.ts';
import { callNow, type RunState } from '../journal/state.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { People } from '../people.ts';
import { SetBackError } from '../recorder.ts';
import type { RunId } from '../records.ts';
import type { RunJournal } from '../run-journal.ts';
import type { Redaction } from '../secrets/redaction.ts';
import type { Store } from '../store/store.ts';
import type { Suggestions } from '../suggestions.ts';
import type { Surface } from '../surface.ts';
import type { ToolTable } from '../tools/index.ts';
import type { TrustAtWork } from '../trust.ts';
import { type AskingDeps, askPeople } from './asking.ts';
import type { Attempts } from './attempts.ts';
import { describeCall } from './describing.ts';
import { askInDoubt, type DoubtingDeps, isInDoubt } from './doubting.ts';
import { earlierMessages } from './earlier.ts';
import { recordFacts } from './facts.ts';
import { createGate } from './gate.ts';
import type { Hold } from './hold.ts';
import { takeIncoming } from './incoming.ts';
import { createListing } from './listing.ts';
import { withinMedia } from './media.ts';
import { type Posts, payPosts } from './posts.ts';
import { type RetriedModelDeps, retriedModel } from './retried-model.ts';
import { TakenOverError } from './taken-over.ts';
import { digestText, guardedTool, type ToolRunnerDeps } from './tool-runner.ts';
import { latest, readTranscript, textOf } from './transcript.ts';
import { createTrustedLines } from './trusted-lines.ts';
import { WORDS } from './words.ts';
import { createWriting } from './writing.ts';

/** Lets the agent go on from where the journal stands, until it comes to rest. Never rejects. */
export type AgentRun = (journal: RunJournal, posts: Posts, hold: Hold) => Promise<Ending>;

export type Ending =
  | { readonly type: 'finished' }
  | { readonly type: 'parked' }
  | { readonly type: 'cancelled' }
  | { readonly type: 'limit'; readonly turns: number }
  /** A cap of the deployment, in words for the thread. */
  | { readonly type: 'capped'; readonly words: string }
  /** `words` for the thread; `storeAway` when nothing could be written. */
  | { readonly type: 'failed'; readonly error: unknown; readonly words: string; readonly storeAway: boolean };

export interface AgentRunDeps extends RetriedModelDeps {
  readonly store: Pick<Store, 'thread' | 'read' | 'readItems'>;
  readonly journalOf: (run: RunId) => RunJournal;
  readonly conversation: ConversationManager;
  readonly system: string;
  readonly tools: ToolTable;
  readonly trust: TrustAtWork;
  readonly authority: Pick<Authority, 'judge' | 'policyOf' | 'offerOnCard'>;
  readonly people: People;
  readonly capsOfRun: () => RunCaps;
  readonly afterDenialMs: number;
  readonly redaction: Redaction;
  readonly suggestions: Suggestions;
  readonly cards: Cards;
  readonly attempts: Attempts;
  readonly surface: Surface;
  readonly asking: Omit<AskingDeps, 'describe' | 'listing'> & { readonly surface: Pick<Surface, 'postList'> };
  readonly newDoubtId: DoubtingDeps['newDoubtId'];
  readonly turnsPerRun: number;
  readonly toolCallsPerTurn: number;
  readonly toolTimeoutMs: number;
  readonly toolOutputChars: number;
  readonly approvalLifetimeMs: number;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly elapsed: () => number;
  readonly log: Log;
}

export function createAgentRun(deps: AgentRunDeps): AgentRun {
  return async (journal, posts, hold) => {
    try {
      return await run(deps, journal, posts, hold);
    } catch (error) {
      const reached = capIn(error);
      if (reached !== undefined) return { type: 'capped', words: reached.message };
      return { type: 'failed', error, words: wordsFor(error), storeAway: !(await canWrite(deps, journal)) };
    }
  };
}

async function run(deps: AgentRunDeps, journal: RunJournal, posts: Posts, hold: Hold): Promise<Ending> {
  const { tools, surface, log, redaction } = deps;
  const state = known(journal);
  const transcript = readTranscript(state, await journal.items());
  const newest = state.said.at(-1);
  // Whoever died between the last answer and the end of the run must not make the model answer once more.
  if (transcript.pending === undefined && newest?.type === 'turn' && newest.last) return { type: 'finished' };
  const earlier = await earlierMessages(deps.journalOf, state);
  /** What the agent said last: on a card it stands as its own words. */
  let said = transcript.pending === undefined ? '' : textOf(transcript.pending.message);

  const summarise = ({ name, input }: { readonly name: string; readonly input: Json }) => {
    const tool = tools.find(name);
    return tool === undefined ? name : redaction.text(tool.summarise(input), redaction.input(tool, input).hidden);
  };
  const writing = createWriting({ ...deps, summarise }, journal);
  const write = recordFacts(journal);
  const caps = deps.capsOfRun();
  /** An answer that asks for nothing more ends the run anyway. */
  const keepWithinCaps = async ({ answer }: Extract<LoopFact, { readonly type: 'turn' }>): Promise<void> => {
    if (answer.message.content.every(({ type }) => type !== 'toolUse')) return;
    const words = await caps.afterTurn(known(journal));
    if (words !== undefined) throw new CapReachedError(words);
  };
  /** Written by `takeIncoming`, so not news when the loop tells of it. */
  const incoming = new WeakSet<Message>();
  /** Whoever has lost the run has nothing more to say in it: not even the result of a tool that ended too late. */
  let lost: TakenOverError | undefined;
  const record: RecordFact = async (fact) => {
    // The journal says that the run was stopped; how the loop tidies up its own memory is of no interest.
    if (hold.stopped.aborted || (fact.type === 'message' && incoming.has(fact.message))) return;
    if (lost !== undefined) throw lost;
    await write(fact);
    if (fact.type !== 'turn') return safePoint();
    await deps.step('turn-answered');
    said = textOf(fact.answer.message);
    if (said === '') {
      await keepWithinCaps(fact);
      return safePoint();
    }
    await writing.turnEnds();
    // Told before anything is asked, and again later if Slack will not have it now.
    await payPosts(journal, posts).catch((error: unknown) => {
      if (error instanceof TakenOverError) throw error;
      log.warn('The thread could not be told yet.', { run: journal.run, error });
    });
    writing.told();
    await keepWithinCaps(fact);
    safePoint();
  };
  /** A process that is told to stop leaves here; a run that has only its end before it gets there. */
  const safePoint = (): void => {
    const latest = journal.state()?.said.at(-1);
    if (latest?.type !== 'turn' || !latest.last) hold.atSafePoint();
  };

  // Names and times only: what people say and what tools are given stays out of traces.
  const tracing = createTracing({
    agentName: 'Countersign',
    attributes: { 'countersign.run': journal.run, 'countersign.team': state.thread.team },
  });
  const listing = createListing(deps.asking, journal);
  const notRepeated = new Set<string>();
  const trusted = createTrustedLines({ posts, log }, journal);
  const runner: ToolRunnerDeps = {
    ...deps,
    journal,
    stopped: hold.stopped,
    gateChanged: (why: string) => new GateChangedError(why),
    takenOver: (why: string) => {
      lost = new TakenOverError(why);
      return lost;
    },
    notRepeated,
    onTrusted: ({ tool, input, grant }) => {
      const { name } = tool;
      trusted.ran({ tool: name, summary: summarise({ name, input }), grant });
    },
  };

  /** A run that waits for people shows it, and says since when. */
  const waits = async <Answer>(answer: () => Promise<Answer>): Promise<Answer> => {
    const answered = hold.waits();
    const goOn = await writing.rest();
    await surface.status(state.thread, 'suspended');
    try {
      const given = await answer();
      if (!(await hold.resumes())) throw new TakenOverError('it has the answer as well, and was faster');
      return given;
    } finally {
      answered();
      goOn();
      if (hold.waitingSinceMs() === undefined) void surface.status(state.thread, 'processing');
    }
  };

  const handlers = createGate({
    traced: tracing.ask,
    redact: (name, input) =>
      isJson(input) ? redaction.input({ inputSchema: tools.find(name)?.inputSchema ?? {} }, input).shown : '',
    journal,
    tools,
    cards: deps.cards,
    trust: deps.trust,
    authority: deps.authority,
    people: deps.people,
    caps,
    denied: {
      stateOf: (run) => deps.journalOf(run).refresh(),
      afterDenialMs: deps.afterDenialMs,
      now: deps.clock.now,
    },
    // Written before the loop hears of it: other calls of the same turn may be waiting for people, who must not be left
    // with a card that nobody waits for.
    onCap: async (words) => {
      await journal.commit((now) =>
        now === undefined ? { entries: [], result: 'over' as const } : decideStop(now, { cause: words }),
      );
      await deps.asking.waiting.look(journal.run);
    },
    onNobody: ({ key, tool }) => void posts.mention(`nobody/${key}`, { text: WORDS.noApprover(tool) }),
    ask: (question) =>
      waits(async () => {
        const asking: AskingDeps = {
          ...deps.asking,
          listing,
          describe: (call, wish) => describeCall({ ...deps, run: state }, call, { ...wish, said }),
        };
        const answer = await askPeople(asking, journal, question).catch((error: unknown) => {
          throw error instanceof SetBackError ? runner.takenOver('the store was set back') : error;
        });
        if (answer.decision === 'cancelled' && answer.unseen) {
          await posts.mention(`unseen/${question.toolUse.toolUseId}`, {
            text: WORDS.cardNotPosted(question.toolUse.name),
          });
        }
        return answer;
      }),
  });
  const doubting: DoubtingDeps = { ...deps.asking, ...deps, lifetimeMs: deps.approvalLifetimeMs };

  const loop = runLoop({
    state: {
      messages: withinMedia([...latest(earlier, LIMITS.transcriptMessages), ...transcript.messages], LIMITS.mediaChars),
      turn: state.turns,
      ...(transcript.pending === undefined ? {} : { pending: transcript.pending }),
    },
    // Shown less when it says that it is too much. The journal keeps everything.
    model: tracing.model(
      fittingModel(retriedModel(deps, writing.takeBack), deps.conversation, (message) =>
        log.warn(message, { run: journal.run }),
      ).model,
    ),
    hooks: [tracing],
    onEvent: writing.show,
    tools: tools.all.map((tool) => guardedTool(runner, tool)),
    interventions: handlers,
    system: deps.system,
    record,
    becameOf: async (toolUse) => {
      const now = known(journal);
      const call = callNow(now, toolUse.toolUseId);
      if (!isInDoubt(tools, now, call) && !notRepeated.has(call)) return undefined;
      return waits(() => askInDoubt(doubting, journal, toolUse, hold.signal));
    },
    incoming: async () => {
      const messages = await takeIncoming(deps, journal);
      for (const message of messages) incoming.add(message);
      return messages;
    },
    invocationState: { requester: state.requester, thread: state.thread },
    signal: hold.signal,
    limits: { turns: deps.turnsPerRun - state.turns, toolCallsPerTurn: deps.toolCallsPerTurn },
    hash: digestText,
    clock: deps.clock,
    timers: deps.timers,
    warn: ({ message, ...about }) => log.warn(message, about),
  });
  const outcome = await loop.finally(writing.end);
  switch (outcome.type) {
    case 'finished':
      return { type: 'finished' };
    case 'interrupted':
      throw new Error('The loop paused, but the bot asks inline. This is a fault of the bot: report it.');
    case 'stopped':
      return outcome.reason === 'parked' || outcome.reason === 'cancelled'
        ? { type: outcome.reason }
        : { type: 'limit', turns: deps.turnsPerRun };
  }
}

/** Whoever asked may have wrapped it on its way. */
function capIn(error: unknown, depth = 5): CapReachedError | undefined {
  if (error instanceof CapReachedError) return error;
  return error instanceof Error && depth > 0 ? capIn(error.cause, depth - 1) : undefined;
}

/** What the thread is told. A model's own failure has a sentence for people; anything else is ours. */
function wordsFor(error: unknown): string {
  if (error instanceof TakenOverError) return '';
  return error instanceof ModelError ? WORDS.modelFailed(error.message) : WORDS.failed;
}

async function canWrite({ store }: AgentRunDeps, journal: RunJournal): Promise<boolean> {
  return store.read(journal.run, Number.MAX_SAFE_INTEGER).then(
    () => true,
    () => false,
  );
}

function known(journal: RunJournal): RunState {
  const state = journal.state();
  if (state === undefined) throw new Error('A run has no journal. This is a fault of the bot: report it.');
  return state;
}
