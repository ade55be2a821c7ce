import { createHash } from 'node:crypto';
import {
  BeforeToolCallEvent,
  createAppState,
  createPipeline,
  type Handler,
  HumanInTheLoop,
  InterventionHandler,
  proceed,
} from '../interventions/index.ts';
import { processorMicros } from './measure.ts';
import { type Part, subject } from './rounds.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const timers = { after: () => () => {} };
const tool = { name: 'look' };

class Watches extends InterventionHandler {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
  override beforeToolCall() {
    return proceed();
  }
}

const FIVE: readonly Handler[] = [
  new HumanInTheLoop({ allowedTools: ['look'] }),
  ...['one', 'two', 'three', 'four'].map((name) => new Watches(name)),
];

/** An allowed call that passes these handlers, with a new event for each call. */
function past(handlers: readonly Handler[]): () => Promise<unknown> {
  const pipeline = createPipeline({ handlers, timers });
  const context = {
    agent: { id: 'bench', appState: createAppState(), messages: [] },
    invocationState: {},
    signal: new AbortController().signal,
    turn: 1,
    resumed: false,
    clock: { now: () => 0 },
  };
  const input = { path: '/srv/app', lines: 20, follow: false };
  return () =>
    pipeline.consult(
      new BeforeToolCallEvent(context, {
        toolUse: { type: 'toolUse', toolUseId: 'call-1', name: 'look', input },
        selectedTool: tool,
        find: () => tool,
        attempt: 1,
        guidanceCount: 0,
        mode: 'model',
        hash,
        interrupt: () => null,
        trustCounts: true,
        hasAsked: () => false,
      }),
    );
}

export const pipelinePart: Part = {
  title: 'The gate, in memory',
  open: async () => {
    const [five, none] = [past(FIVE), past([])];
    return {
      subjects: [
        subject('past five', () => processorMicros(five, { batch: 2_000 })),
        subject('past none', () => processorMicros(none, { batch: 2_000 })),
      ],
      figures: (of) => [
        { what: 'an allowed call past five handlers', value: of('past five'), unit: 'µs', target: 5 },
        { what: 'the same call past none', value: of('past none'), unit: 'µs' },
      ],
    };
  },
};
