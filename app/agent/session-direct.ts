import {
  createAppState,
  InterruptedStateError,
  InterventionError,
  type Json,
  type Message,
  type ToolResultBlock,
} from '../../interventions/index.ts';
import { runLoop } from './loop.ts';
import type { Invocation, SessionOptions } from './session-options.ts';
import type { Page } from './session-page.ts';
import { textMessage } from './transcript.ts';

export interface DirectCall extends Invocation {
  /** Written into the transcript. Defaults to yes. */
  readonly record?: boolean;
  /** Past every intervention. Says so in the warnings, because somebody should know. */
  readonly unguarded?: boolean;
}

/** One tool call without the model: a loop of its own, of which only the result is kept. */
export async function callTool(
  page: Page,
  options: SessionOptions,
  { name, input, direct }: { readonly name: string; readonly input: Json; readonly direct: DirectCall },
): Promise<ToolResultBlock> {
  const { state } = page.stored();
  if (state.pending !== undefined) {
    throw new InterruptedStateError(
      `${options.id} waits for answers, so no tool can be called. Answer or dismiss them.`,
    );
  }
  if (!options.tools.some((tool) => tool.name === name)) {
    throw new InterventionError(`There is no tool called ${JSON.stringify(name)}. Check the name.`);
  }
  if (direct.unguarded === true) {
    options.warn?.({
      handler: 'callTool',
      event: 'beforeToolCall',
      message: `${name} was called past all interventions.`,
    });
  }
  const toolUseId = `direct-${(state.turn ?? 0) + 1}`;
  const message: Message = { role: 'assistant', content: [{ type: 'toolUse', toolUseId, name, input }] };
  const appState = createAppState(page.stored().appState);
  const { record: _record, incoming: _incoming, ...parts } = options;
  const outcome = await runLoop({
    ...parts,
    ...(direct.signal === undefined ? {} : { signal: direct.signal }),
    ...(direct.invocationState === undefined ? {} : { invocationState: direct.invocationState }),
    ...(direct.unguarded === true ? { interventions: [] } : {}),
    mode: 'direct',
    state: { messages: [], pending: { message, results: [] }, turn: (state.turn ?? 0) + 1 },
    agent: { id: options.id, appState },
    // The batch is all there is to do: the model is not asked.
    limits: { ...options.limits, turns: 0 },
  });
  if (outcome.type === 'interrupted') {
    throw new InterventionError(
      `${name} needs a person, and a direct call cannot wait for one. Ask inline, or let the model call it.`,
    );
  }
  const result = outcome.state.messages.at(-1)?.content.find((block) => block.type === 'toolResult');
  if (result === undefined) throw new InterventionError(`${name} was stopped before it had a result.`);
  const said = [textMessage('user', `The tool ${name} was called directly.`), ...outcome.state.messages];
  const messages =
    direct.record === false
      ? state.messages
      : [...state.messages, ...said, textMessage('assistant', `${name} was called.`)];
  await page.save(() => ({ state: { ...state, messages, turn: (state.turn ?? 0) + 1 }, appState: appState.toJSON() }));
  return result;
}
