import { Agent } from '../../app/agent/alone/agent.ts';
import type { AgentOptions } from '../../app/agent/alone/options.ts';
import type { LoopTool, ModelFunction } from '../../app/agent/ports.ts';
import { alternating } from '../../app/agent/transcript.ts';
import {
  type ContentBlock,
  deny,
  guide,
  type Handler,
  HumanInTheLoop,
  type Message,
  proceed,
} from '../../interventions/index.ts';
import { flawsOf } from '../app/agent/memory/conversations.ts';
import { handTimers } from '../support/scripted-model.ts';

/** Random choices that a seed repeats. */
export interface Dice {
  readonly below: (limit: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <Value>(values: readonly [Value, ...Value[]]) => Value;
}

export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    pick: (values) => values[below(values.length)] ?? values[0],
  };
}

/** A world of random events. It notes each event that must not happen. */
export interface World {
  readonly agent: (more: Partial<AgentOptions>) => Agent;
  readonly flaws: string[];
  readonly happened: Set<string>;
  /** Begins a new invocation, for which an earlier cancel does not count. */
  readonly begin: (agent: Agent) => void;
  readonly answer: (interruptId: string) => boolean | string;
}

const TOOLS = ['free', 'slow', 'flaky', 'asks', 'gated', 'guarded'] as const;

export function randomWorld(roll: Dice): World {
  const flaws: string[] = [];
  const happened = new Set<string>();
  const approved = new Set<string>();
  let current: Agent | undefined;
  let cancelled = false;
  let ids = 0;

  /** All that may begin calls this: the model, a tool, a handler, a question. None may begin after a cancel, and some cancel. */
  const begins = async (what: string) => {
    happened.add(what);
    if (cancelled) flaws.push(`${what} began after the cancel`);
    if (roll.chance(0.03)) {
      cancelled = true;
      happened.add('cancel');
      current?.cancel();
    }
    for (let turns = roll.below(4); turns > 0; turns -= 1) await undefined;
  };

  const model: ModelFunction = async ({ messages }) => {
    const wrong = [...flawsOf(messages), ...(messages[0]?.role === 'user' ? [] : ['it does not begin with a person'])];
    flaws.push(...wrong.map((flaw) => `the model was shown that ${flaw}`));
    await begins('model call');
    if (roll.chance(0.06)) throw new Error('The model is away.');
    const calls = Array.from({ length: roll.chance(0.6) ? 1 + roll.below(4) : 0 }, toolCall);
    const content: ContentBlock[] = [{ type: 'text', text: 'well' }, ...calls];
    // The answer may end after half of its calls.
    const broken = roll.chance(0.04);
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const stopReason = broken ? 'refusal' : calls.length > 0 ? 'toolUse' : 'endTurn';
    return { message: { role: 'assistant', content }, stopReason, usage };
  };

  const toolCall = (): ContentBlock => {
    ids += roll.chance(0.03) ? 0 : 1;
    const name = roll.chance(0.04) ? 'unknown' : roll.pick(TOOLS);
    return { type: 'toolUse', toolUseId: `call-${ids}`, name, input: { size: roll.below(3) } };
  };

  const tools = TOOLS.map(
    (name): LoopTool => ({
      name,
      description: name,
      inputSchema: { type: 'object' },
      parse: (input) => (roll.chance(0.02) ? { ok: false, problem: 'odd' } : { ok: true, input }),
      run: async (_input, { toolUse, interrupt }) => {
        await begins(`tool ${name}`);
        if ((name === 'gated' || name === 'guarded') && !approved.delete(toolUse.toolUseId)) {
          flaws.push(`${name} ${toolUse.toolUseId} ran without a yes of its own`);
        }
        if (name === 'slow') for (let turns = 0; turns < 10; turns += 1) await undefined;
        if (name === 'flaky' && roll.chance(0.5)) throw new Error('The tool is broken.');
        if (name === 'asks') interrupt({ name: 'really?' });
        return 'x'.repeat(roll.below(1_000));
      },
    }),
  );

  /** Counts only a plain yes. The note is written before the agent can act on the answer. */
  const decide = (toolUseId: string) => {
    const yes = roll.chance(0.6);
    happened.add(yes ? 'yes' : 'no');
    if (yes) approved.add(toolUseId);
    return roll.pick<boolean | string>(yes ? [true, 'yes', ' Y '] : [false, 'no', 'n']);
  };
  const ask = async (_prompt: string, { toolUse }: { readonly toolUse: { readonly toolUseId: string } }) => {
    await begins('ask');
    if (roll.chance(0.03)) throw new Error('The question could not be asked.');
    return decide(toolUse.toolUseId);
  };
  const moody: Handler = {
    name: 'moody',
    beforeToolCall: async () => {
      await begins('handler');
      if (roll.chance(0.01)) throw new Error('The handler is broken.');
      return roll.chance(0.05) ? deny('not now') : roll.chance(0.05) ? guide('think again') : proceed();
    },
    afterModelCall: () => (roll.chance(0.04) ? guide('say it better') : proceed()),
    beforeInvocation: () => (roll.chance(0.03) ? deny('closed') : proceed()),
  };
  const inline = roll.chance(0.4);
  const gate = () =>
    new HumanInTheLoop({ allowedTools: ['free', 'slow', 'flaky', 'asks', '!guarded'], ...(inline ? { ask } : {}) });
  const toolExecutor = roll.pick(['concurrent', 'sequential'] as const);

  return {
    flaws,
    happened,
    begin: (agent) => {
      current = agent;
      cancelled = false;
    },
    answer: (interruptId) => {
      const callId = /call-\d+/.exec(interruptId)?.[0] ?? '';
      return decide(callId);
    },
    agent: (more) =>
      new Agent({
        model,
        tools,
        interventions: [moody, gate()],
        toolExecutor,
        retryStrategy: null,
        timers: handTimers(),
        clock: { now: () => 0 },
        limits: { turns: 4 },
        ...more,
      }),
  };
}

/** The faults in the memory of an agent. */
export function flawsOfMemory(messages: readonly Message[]): readonly string[] {
  const flaws = flawsOf(alternating(messages)).map((flaw) => `it remembers that ${flaw}`);
  const twice = messages.findIndex(({ role }, index) => role === 'assistant' && messages[index + 1]?.role === role);
  return twice < 0 ? flaws : [...flaws, `${twice} and ${twice + 1} were both said by the assistant`];
}
