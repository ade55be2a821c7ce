import type { LoopFact, RecordFact } from '../../agent/index.ts';
import { callKey, callNow, type EntryBody, type RunState, withIntent } from '../../journal/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { ShownMessages } from '../story/shown-messages.ts';
import { TakenOverError } from '../story/taken-over.ts';
import { owedPosts, turnKey } from '../telling/posts.ts';
import { textOf } from '../telling/transcript.ts';

/**
 * Writes what happens in the loop into the journal, and the loop waits for each write. It also stops a paused process
 * that wakes up late: its write finds that the run has moved on, so the process does nothing more.
 */
export function recordFacts({ by, shownMessages }: RecordFactsDeps, journal: RunJournal): RecordFact {
  const begun = begunIn(journal.state());
  const append = (fact: LoopFact, withPost: boolean) =>
    journal.commit((state, nowMs) => {
      const written = write(state, fact, { shownMessages, begun });
      const post = state === undefined || !withPost ? undefined : nextPost(state, written.entries);
      return post === undefined ? written : withIntent(written, { key: post, by }, nowMs);
    });
  return async (fact) => {
    let committed = await append(fact, true);
    if (committed === 'late') {
      // The intent may be too old by now, so it is written by itself, right before the text is posted.
      await journal.refresh();
      committed = await append(fact, false);
    }
    if (committed === 'late' || committed === 'lost') throw new TakenOverError('it has moved on');
    if (committed === 'said') shownMessages.wrote(1);
  };
}

/** The post of an answer that is written here, if the thread is owed nothing before it. */
function nextPost(state: RunState, entries: readonly EntryBody[]): string | undefined {
  if (state.unheard || owedPosts(state).length > 0) return undefined;
  return entries.flatMap((entry) => (entry.type === 'turn-answered' && entry.says ? [turnKey(entry.turn)] : []))[0];
}

export interface RecordFactsDeps {
  readonly by: string;
  readonly shownMessages: ShownMessages;
}

/** A fact without a journal entry. The bot's gate asks inline, only about tool calls, and has no reactions. */
export class UnrecordableError extends Error {
  override readonly name = 'UnrecordableError';

  constructor(what: string) {
    super(
      `The loop told of ${what}, which the journal of a run cannot hold, so a restart would forget it. Give it an entry first.`,
    );
  }
}

interface Written {
  readonly entries: readonly EntryBody[];
  readonly items?: readonly string[];
  /** `said`: the entry adds to the conversation. */
  readonly result: 'said' | 'written' | 'known' | 'lost';
}

interface Known {
  readonly shownMessages: ShownMessages;
  /** Calls that had begun before this process took the run up. What became of them is settled by then. */
  readonly begun: ReadonlySet<string>;
}

const begunIn = (state: RunState | undefined): ReadonlySet<string> =>
  new Set([...(state?.calls ?? [])].flatMap(([call, { execution }]) => (execution.type === 'none' ? [] : [call])));

function write(state: RunState | undefined, fact: LoopFact, { shownMessages, begun }: Known): Written {
  if (state?.status.type !== 'running' || !shownMessages.isAll(state)) {
    return { entries: [], result: 'lost' };
  }
  switch (fact.type) {
    // The tool runner writes the start, in the append that checks the grant.
    case 'started':
    case 'unstarted':
    case 'retried':
      return { entries: [], result: 'known' };
    case 'paused':
    case 'ran':
    case 'settled':
      throw new UnrecordableError(`a question outside the journal (${fact.type})`);
    case 'message':
      return {
        entries: [{ type: 'guided', item: state.items }],
        items: [JSON.stringify(fact.message)],
        result: 'said',
      };
    case 'turn':
      return writeTurn(state, fact.answer);
    case 'result':
      return writeResult(state, fact, begun);
  }
}

function writeTurn(state: RunState, { message, stopReason, usage }: TurnFact['answer']): Written {
  const turn = state.turns + 1;
  const calls = message.content.flatMap((block) => (block.type === 'toolUse' ? [block.toolUseId] : []));
  const entry: EntryBody = {
    type: 'turn-answered',
    turn,
    item: state.items,
    stopReason,
    says: textOf(message) !== '',
    calls: calls.map((id) => callKey(turn, id)),
    tokens: {
      input: usage.inputTokens,
      output: usage.outputTokens,
      cacheRead: usage.cacheReadTokens,
      cacheWrite: usage.cacheWriteTokens,
    },
  };
  return { entries: [entry], items: [JSON.stringify(message)], result: 'said' };
}

type TurnFact = Extract<LoopFact, { readonly type: 'turn' }>;
type ResultFact = Extract<LoopFact, { readonly type: 'result' }>;

function writeResult(
  state: RunState,
  { result, executed, reactions = [] }: ResultFact,
  begun: Known['begun'],
): Written {
  if (reactions.length > 0) throw new UnrecordableError('a reaction');
  const call = callNow(state, result.toolUseId);
  const known = state.calls.get(call);
  // The tool runner has written what the tool returned; only a changed result is written here.
  if (known?.execution.type === 'finished' && executed) return { entries: [], result: 'known' };
  // The result of a call in doubt was written together with the choice that people made.
  if (known?.doubt !== undefined && known.answer !== undefined && executed) return { entries: [], result: 'known' };
  // Another process has written the answer of this call, and an answer is never replaced.
  if (known?.answer !== undefined) return { entries: [], result: 'lost' };
  // Another process runs this call, so the model must not hear that it did not run.
  if (!executed && begunIn(state).has(call) && !begun.has(call)) return { entries: [], result: 'lost' };
  const entry: EntryBody = { type: 'call-answered', call, item: state.items };
  return { entries: [entry], items: [JSON.stringify(result)], result: 'written' };
}
