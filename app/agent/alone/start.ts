import {
  applyAnswers,
  dismissInterrupts,
  type Interrupt,
  InterruptedStateError,
  type InterruptResponseBlock,
  type Message,
  unanswered,
} from '../../../interventions/index.ts';
import { type Ahead, closingResults, type PendingBatch } from '../index.ts';
import type { GivenInput } from './input/input.ts';
import type { AgentMemory } from './memory/keep.ts';
import type { SessionEntry } from './memory/session-entry.ts';
import type { AgentSettings } from './options.ts';

export type InvocationStart =
  /** Nothing begins: the answers were known already, or the input is kept for later. */
  | { readonly type: 'unchanged' }
  /** A handler refused words that would have been kept for later. */
  | (Ahead & { readonly type: 'refused' })
  /** The agent goes on. It is told `afterwards` once its unfinished tool calls are done. */
  | { readonly type: 'go'; readonly input: readonly Message[]; readonly afterwards: readonly Message[] };

export interface StartParts {
  readonly memory: AgentMemory;
  readonly settings: Pick<AgentSettings, 'id' | 'clock' | 'whileWaiting'>;
  /** Judges words that are said once people have answered, because the invocation that says them was let in before. */
  readonly judge: (words: readonly Message[]) => Promise<Ahead>;
}

/** Says how an invocation begins, by the state of the agent. It adds the messages that were kept for later. */
export async function startOf(given: GivenInput, parts: StartParts): Promise<InvocationStart> {
  const input = given.type === 'answers' ? await resume(given.answers, parts) : await begin(given.messages, parts);
  if (input === 'unchanged') return { type: 'unchanged' };
  if ('type' in input) return input;
  const { queued = [] } = parts.memory.remembered();
  return { type: 'go', input, afterwards: queued };
}

/** What is said at once. */
type Input = readonly Message[] | 'unchanged' | (Ahead & { readonly type: 'refused' });

/** Resumes after a pause. When several callers answer, only the one whose answers are saved first goes on. */
async function resume(answers: readonly InterruptResponseBlock[], { memory, settings }: StartParts): Promise<Input> {
  const { state, spent } = memory.remembered();
  const standing = { interrupts: state.interrupts ?? [], spent, nowMs: settings.clock.now() };
  if (applyAnswers(answers, standing).type === 'repeated') return 'unchanged';
  await memory.add({ type: 'answered', answers: answers.map(({ interruptResponse }) => interruptResponse) });
  return [];
}

async function begin(messages: readonly Message[], parts: StartParts): Promise<Input> {
  const { memory, settings } = parts;
  const waiting = stillWaiting(memory, settings.clock.now());
  if (waiting.length > 0) {
    switch (messages.length === 0 ? 'reject' : settings.whileWaiting) {
      case 'reject':
        throw new InterruptedStateError(
          `${settings.id} waits for answers (${waiting.map(({ name }) => name).join(', ')}). Resume it with a list of { interruptResponse: { interruptId, response } }, or dismiss the questions.`,
        );
      case 'queue': {
        const kept = await keep(messages, parts);
        return kept.type === 'refused' ? kept : 'unchanged';
      }
      case 'dismissAndContinue': {
        const kept = await keep(messages, parts);
        if (kept.type === 'refused') return kept;
        await takeBack(memory, { reason: 'Something new was said instead.' });
        return [];
      }
    }
  }
  return goOn(messages, parts);
}

async function goOn(messages: readonly Message[], parts: StartParts): Promise<Input> {
  const { memory } = parts;
  const { state, queued = [] } = memory.remembered();
  const { interrupts = [], pending } = state;
  // A question outside tool calls was taken back. The loop refuses what it asked about, then takes the new messages.
  if (pending === undefined && interrupts.length > 0) return goOnFirst(messages, parts);
  if (pending === undefined) {
    if (messages.length === 0 && state.messages.length === 0 && queued.length === 0) {
      throw new TypeError(
        'There is neither an input nor a conversation, so there is nothing to answer. Give an input.',
      );
    }
    return messages;
  }
  if (messages.length === 0 || interrupts.length > 0) return goOnFirst(messages, parts);
  // A process that has ended left these calls unfinished. The conversation goes on without them.
  await memory.add(...closing(pending, 'This tool call did not run: the conversation went on without it.'));
  return messages;
}

/** Finishes what is under way before the new messages are said. It may pause for another question, so they are kept. */
async function goOnFirst(messages: readonly Message[], parts: StartParts): Promise<Input> {
  if (messages.length === 0) return [];
  const kept = await keep(messages, parts);
  return kept.type === 'refused' ? kept : [];
}

/** Keeps words for later. Those that come in place of input that waits to be let in are judged when they are said. */
async function keep(words: readonly Message[], { memory, settings, judge }: StartParts): Promise<Ahead> {
  const waits = settings.whileWaiting === 'queue' && stillWaiting(memory, settings.clock.now()).length > 0;
  const instead = memory.remembered().state.held !== undefined && !waits;
  const judged: Ahead = instead ? { type: 'let', messages: words } : await judge(words);
  if (judged.type === 'let') await memory.add({ type: 'queued', messages: judged.messages });
  return judged;
}

function stillWaiting({ remembered }: AgentMemory, nowMs: number): readonly Interrupt[] {
  return unanswered(remembered().state.interrupts ?? []).filter(
    ({ expiresAtMs }) => expiresAtMs === undefined || expiresAtMs > nowMs,
  );
}

/** Takes questions back: those with these ids, or all. */
export async function takeBack(
  memory: AgentMemory,
  what: { readonly reason: string; readonly ids?: readonly string[] },
): Promise<void> {
  const before = memory.remembered().state.interrupts ?? [];
  const changed = dismissInterrupts(before, what).filter((interrupt) => !before.includes(interrupt));
  const answers = changed.map(({ id, response = null }) => ({ interruptId: id, response }));
  if (answers.length > 0) await memory.add({ type: 'answered', answers });
}

export function closing(pending: PendingBatch, text: string): readonly SessionEntry[] {
  return closingResults(pending, text).map((result) => ({ type: 'result', result, executed: false }));
}
