import { BeforeToolCallEvent, createAppState, type EventContext } from '../../interventions/index.ts';

type Fields = ConstructorParameters<typeof BeforeToolCallEvent>[1];

/** What every event of a test knows of its agent and its run. */
export function eventContext(): EventContext {
  return {
    agent: { id: 'a', appState: createAppState(), messages: [] },
    invocationState: {},
    signal: new AbortController().signal,
    turn: 1,
    resumed: false,
    clock: { now: () => 0 },
  };
}

/** The event before a call of the tool `t`, for a pipeline without a loop. */
export function callEvent(fields: Partial<Fields> = {}, context: Partial<EventContext> = {}): BeforeToolCallEvent {
  const tool = { name: 't' };
  return new BeforeToolCallEvent(
    { ...eventContext(), ...context },
    {
      toolUse: { type: 'toolUse', toolUseId: 't-1', name: 't', input: {} },
      selectedTool: tool,
      find: () => tool,
      attempt: 1,
      guidanceCount: 0,
      mode: 'model',
      hash: (text) => text,
      interrupt: () => null,
      trustCounts: true,
      hasAsked: () => false,
      ...fields,
    },
  );
}
