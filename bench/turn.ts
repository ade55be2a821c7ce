import { hash } from 'node:crypto';
import { Agent } from '../app/agent/alone/index.ts';
import { type LoopTool, type ModelFunction, runLoop } from '../app/agent/index.ts';
import { HumanInTheLoop, type Message } from '../interventions/index.ts';
import { processorMicros } from './measure.ts';
import { type Part, subject } from './rounds.ts';

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Calls the tool once, and is done when its result is there. It answers at once and reads only the last message. */
const model: ModelFunction = async ({ messages }) =>
  messages.at(-1)?.content.some(({ type }) => type === 'toolResult') === true
    ? { message: { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }, stopReason: 'endTurn', usage }
    : {
        message: {
          role: 'assistant',
          content: [{ type: 'toolUse', toolUseId: 'd-1', name: 'deploy', input: { to: 1 } }],
        },
        stopReason: 'toolUse',
        usage,
      };

const deploy: LoopTool = {
  name: 'deploy',
  description: 'Deploys.',
  inputSchema: { type: 'object' },
  parse: (input) => ({ ok: true, input }),
  run: async () => 'deployed',
};

/** A conversation of `length` messages. A person wrote the last one. */
function history(length: number): readonly Message[] {
  return Array.from({ length }, (_, index) => ({
    role: (length - index) % 2 === 1 ? ('user' as const) : ('assistant' as const),
    content: [
      { type: 'text' as const, text: `Message ${index} of a conversation that has been going on for a while.` },
    ],
  }));
}

/** A turn from the question to the answer: a model call, an immediate yes, the tool, and a model call. */
function approvedTurn(length: number): () => Promise<unknown> {
  const messages = history(length);
  const gate = new HumanInTheLoop({ ask: () => true, askTimeoutMs: null });
  return () =>
    runLoop({
      state: { messages },
      model,
      tools: [deploy],
      interventions: [gate],
      clock: { now: () => 0 },
      timers: { after: () => () => {} },
      hash: (text) => hash('sha256', text, 'hex'),
    });
}

/** A new agent and one invocation: a model call, a yes from a person who is there, the tool, and a model call. */
function invocation(): Promise<unknown> {
  const gate = new HumanInTheLoop({ ask: () => true, askTimeoutMs: null });
  return new Agent({ model, tools: [deploy], interventions: [gate] }).invoke('deploy it');
}

export const turnPart: Part = {
  title: 'A turn, in memory',
  open: async () => {
    const [short, long] = [approvedTurn(10), approvedTurn(1_000)];
    return {
      subjects: [
        subject('turn after 10', () => processorMicros(short, { batch: 100 })),
        subject('turn after 1,000', () => processorMicros(long, { batch: 100 })),
        subject('turn of an agent alone', () => processorMicros(invocation, { batch: 100 })),
      ],
      figures: (of) => [
        {
          what: 'an approved turn after 10 messages, with an instant model',
          value: of('turn after 10'),
          unit: 'µs',
          target: 120,
        },
        { what: 'the same after 1,000', value: of('turn after 1,000'), unit: 'µs' },
        {
          what: 'growth from 10 to 1,000 messages',
          value: of('turn after 1,000') / of('turn after 10'),
          unit: '×',
          target: 1.2,
        },
        { what: 'the same turn by an agent alone, made for it', value: of('turn of an agent alone'), unit: 'µs' },
      ],
    };
  },
};
