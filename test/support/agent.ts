import { Agent, type AgentItem, type AgentOptions } from '../../app/agent/alone/index.ts';
import type { HookProvider, HookRegistry, Interrupt, Json, Message } from '../../interventions/index.ts';
import { standardProfile } from './profile.ts';
import { handTimers, sha256 } from './scripted-model.ts';

/** An agent with nothing but what a test is about, in a world that stands still. */
export function agent(options: Partial<AgentOptions> & Pick<AgentOptions, 'model'>): Agent {
  return new Agent({
    clock: { now: () => 0 },
    timers: handTimers(),
    hash: sha256,
    profile: standardProfile(),
    ...options,
  });
}

export function reply(interrupt: Interrupt | undefined, response: Json) {
  return { interruptResponse: { interruptId: interrupt?.id ?? 'nothing was asked', response } };
}

/** Callbacks that an agent is given when it is made. */
export function callbacks(): HookProvider & Pick<HookRegistry, 'addCallback'> {
  const waiting: ((registry: HookRegistry) => () => void)[] = [];
  return {
    addCallback: (...registration) => {
      waiting.push((registry) => registry.addCallback(...registration));
      return () => {};
    },
    registerHooks: (registry) => {
      for (const register of waiting) register(registry);
    },
  };
}

/** A conversation as one line for each message. */
export function linesOf(messages: readonly Message[]): readonly string[] {
  return messages.map(({ role, content }) => {
    const parts = content.map((block) => {
      switch (block.type) {
        case 'text':
          return block.text;
        case 'toolUse':
          return `[${block.name} ${block.toolUseId}]`;
        case 'toolResult':
          return `[${block.toolUseId} ${block.status}]`;
        default:
          return `[${block.type}]`;
      }
    });
    return `${role}: ${parts.join(' ')}`;
  });
}

/** All of a stream, as the kinds of its items. */
export async function kindsOf(items: AsyncIterable<AgentItem>): Promise<readonly string[]> {
  const kinds: string[] = [];
  for await (const { type } of items) kinds.push(type);
  return kinds;
}
