import type { ContentBlock, Message, ToolResultBlock } from '../../../interventions/index.ts';
import { providerBlockText } from '../../agent/model/index.ts';
import { lastRetry, type RunState } from '../../journal/index.ts';
import { WORDS } from './words.ts';

/** A turn whose calls are not all answered yet: where the run goes on. */
export interface PendingTurn {
  readonly message: Message;
  readonly results: readonly ToolResultBlock[];
  /** What the model is told of each call that began and whose outcome is unknown. */
  readonly lost: ReadonlyMap<string, string>;
}

export interface Transcript {
  readonly messages: readonly Message[];
  readonly pending: PendingTurn | undefined;
}

/**
 * What was said in a run, from its journal and its items. Results stand directly behind the turn that asked for them,
 * in the order of the requests, whenever they arrived.
 */
export function readTranscript(state: RunState, items: readonly string[]): Transcript {
  const messages: Message[] = [];
  let pending: PendingTurn | undefined;
  for (const said of state.said) {
    // Only the bot's own appends write items, as JSON of exactly these types.
    const message: Message = JSON.parse(itemAt(items, said.item));
    if (said.type === 'message') {
      messages.push(message);
      continue;
    }
    const results = said.calls.flatMap((call): ToolResultBlock[] => {
      const answer = state.calls.get(lastRetry(state.calls, call))?.answer;
      return answer === undefined ? [] : [JSON.parse(itemAt(items, answer))];
    });
    if (results.length < said.calls.length) {
      pending = { message, results, lost: lostIn(state, said.calls) };
    } else {
      messages.push(message, ...(results.length > 0 ? [{ role: 'user' as const, content: results }] : []));
    }
  }
  return { messages, pending };
}

/** The store has lost an item that the journal refers to, so the model cannot be told what was said. */
export class MissingItemError extends Error {
  override readonly name = 'MissingItemError';

  constructor(item: number) {
    super(`Item ${item} of the run is missing: the store has lost it. Check its durability, and restore a whole copy.`);
  }
}

function itemAt(items: readonly string[], at: number): string {
  const text = items[at];
  if (text === undefined) throw new MissingItemError(at);
  return text;
}

/** Gives each open request of a finished run a result, which tells the next run that the call never ran. */
export function closeTranscript({ messages, pending }: Transcript): readonly Message[] {
  if (pending === undefined) return messages;
  const results = requests(pending.message).map(
    (toolUseId): ContentBlock =>
      pending.results.find((result) => result.toolUseId === toolUseId) ?? {
        type: 'toolResult',
        toolUseId,
        status: 'error',
        content: [{ type: 'text', text: pending.lost.get(toolUseId) ?? NEVER_RAN }],
      },
  );
  return [...messages, pending.message, { role: 'user', content: results }];
}

const NEVER_RAN = 'The run was stopped before this call ran.';

function lostIn(state: RunState, calls: readonly string[]): ReadonlyMap<string, string> {
  const lost = calls.flatMap((call): [string, string][] => {
    const execution = state.calls.get(lastRetry(state.calls, call))?.execution;
    if (execution?.type !== 'started' && execution?.type !== 'unknown') return [];
    const limitMs = execution.type === 'unknown' ? execution.limitMs : undefined;
    return [[call.slice(call.indexOf('/') + 1), WORDS.unknownResult(limitMs)]];
  });
  return new Map(lost);
}

/** The last messages, beginning where a person speaks: a result must not stand without its request. */
export function latest(messages: readonly Message[], limit: number): readonly Message[] {
  const from = messages.findIndex(
    ({ role, content }, index) =>
      index >= messages.length - limit && role === 'user' && content.every(({ type }) => type !== 'toolResult'),
  );
  return from === -1 ? [] : messages.slice(from);
}

function requests(message: Message): readonly string[] {
  return message.content.flatMap((block) => (block.type === 'toolUse' ? [block.toolUseId] : []));
}

/** The text of a message, as people see it. */
export function textOf(message: Message): string {
  return message.content
    .flatMap((block) => {
      if (block.type === 'text') return [block.text];
      return block.type === 'opaque' ? providerBlockText(block.value) : [];
    })
    .join('\n\n')
    .trim();
}
