import { z } from 'zod';
import type { ModelFunction } from '../../app/agent/ports.ts';
import { defineRule } from '../../app/authority/policy/rules.ts';
import type { Clock } from '../../app/clock.ts';
import { checkConfig } from '../../app/config/check.ts';
import type { Config } from '../../app/config/file.ts';
import { defineTool, type ToolTable, toolTable } from '../../app/tools/index.ts';
import type { ContentBlock, Json } from '../../interventions/index.ts';
import { ANN, BEN, ZOE } from '../../sandbox/people.ts';
import type { Witnessed } from '../support/bot.ts';
import { createModelStore } from '../support/model-store.ts';
import type { Weather } from './border.ts';
import { type Chance, chanceFrom } from './chance.ts';
import { createSchedule, type Process, type Schedule } from './schedule.ts';
import { createSimulatedSlack, type SimulatedSlack } from './slack.ts';
import { carryHints, type SharedStore } from './store.ts';

/** Everything outside of the processes, which survives each of them. */
export interface World {
  /** In a busy world calls share cards, people edit, trust and end trust, and some calls need two approvers. */
  readonly kind: 'plain' | 'busy';
  /** Processes die and stand still, requests fail and people stop the agent two or three times as often as in other nights. */
  readonly isRough: boolean;
  /**
   * Two threads share trust with a number of uses, and what lies around the bot changes: processes start with other rules and
   * tools, clocks drift, the app is removed and installed again, cards are deleted, and people speak of trust.
   */
  readonly isChanging: boolean;
  readonly chance: Chance;
  readonly schedule: Schedule;
  readonly weather: Weather;
  readonly clock: Clock;
  readonly slack: SimulatedSlack;
  readonly store: SharedStore;
  /** Each process starts with one of these. */
  deployments: readonly Deployment[];
  /** What the model says to a conversation. Asked again, it may say something else. */
  readonly answer: ModelFunction;
  /** What the tools wrote down themselves. */
  readonly witnessed: Witnessed[];
  /** The processes that asked the model, in the order of the requests. */
  readonly asked: Process[];
  /** The errors of a log, for the reader of a broken story. */
  readonly errors: string[];
}

export interface Deployment {
  readonly config: Config;
  readonly tools: ToolTable;
}

/** The world whose tools run. One story is told at a time, and all stories have the same tools. */
let told: World | undefined;

/** The most calls of a conversation, so that each conversation ends, and the most calls of one turn. */
const CALLS = { plain: { most: 4, atOnce: 2 }, busy: { most: 10, atOnce: 6 } } as const;

export async function createWorld(seed: number): Promise<World> {
  const chance = chanceFrom(seed);
  const kind = kindOf(seed);
  const isRough = seed % 10 === 3;
  const isChanging = seed % 20 === 7;
  const calls = CALLS[kind];
  const schedule = createSchedule(chance);
  const clock: Clock = { now: () => Date.now() };
  const store: SharedStore = { facts: createModelStore(clock), listeners: new Map(), queue: [] };
  await carryHints(store, { schedule, chance });
  const witnessed: Witnessed[] = [];
  const world: World = {
    chance,
    schedule,
    isRough,
    isChanging,
    weather: isRough ? { refused: 0.06, lost: 0.09 } : { refused: 0.02, lost: 0.03 },
    clock,
    slack: createSimulatedSlack(),
    store,
    kind,
    deployments: isChanging ? CHANGING : [{ config: CONFIGS[kind], tools: TOOLS }],
    witnessed,
    asked: [],
    errors: [],
    answer: async ({ messages }, { onText }) => {
      const used = messages.flatMap(({ content }) => content).filter(({ type }) => type === 'toolUse').length;
      const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };
      const fresh = messages.at(-1)?.content.some(({ type }) => type === 'text') === true;
      if (used < calls.most && chance.happens(fresh ? 0.9 : 0.3)) {
        const content = Array.from({ length: 1 + chance.below(calls.atOnce) }, (_, at) =>
          anyCall(chance, `call-${used + at}`),
        );
        return { message: { role: 'assistant', content }, stopReason: 'toolUse', usage };
      }
      const text = 'That is all.';
      onText(text);
      return { message: { role: 'assistant', content: [{ type: 'text', text }] }, stopReason: 'endTurn', usage };
    },
  };
  told = world;
  return world;
}

const NAMES = ['look', 'restart', 'save', 'wipe'] as const;

function anyCall(chance: Chance, toolUseId: string): ContentBlock {
  const input: Json = { service: chance.pick(['payments', 'search']) ?? 'payments' };
  return { type: 'toolUse', toolUseId, name: chance.pick(NAMES) ?? 'look', input };
}

/** One of each kind: open, asked, harmless when repeated, and guarded. Each takes a while, in which anything may happen. */
function simulatedTools(
  deployed: Partial<Record<(typeof NAMES)[number], Partial<Parameters<typeof defineTool>[0]>>> = {},
) {
  const input = z.object({ service: z.string() });
  const tool = (name: (typeof NAMES)[number], more: Partial<Parameters<typeof defineTool>[0]>) =>
    defineTool({
      name,
      description: `Does ${name}.`,
      ...more,
      ...deployed[name],
      input,
      run: async (given, { key }) => {
        if (told === undefined) throw new Error('A tool is used in no world.');
        const { witnessed, schedule } = told;
        witnessed.push({ step: 'begun', tool: name, key, input: given });
        // A tool that has begun runs to its end, even if its process is dead.
        await new Promise<void>((resolve) => schedule.add('outside', `${name} ends`, resolve));
        witnessed.push({ step: 'done', tool: name, key, input: given });
        return `${name} is done`;
      },
    });
  return [
    tool('look', { effect: 'open', because: 'It only looks.' }),
    tool('restart', {}),
    tool('save', { idempotent: true }),
    tool('wipe', { effect: 'guarded', approvers: [BEN] }),
  ];
}

const nowhere = async () => {
  throw new Error('Nobody reaches out of this thread.');
};
const NOWHERE = { readThread: nowhere, readChannel: nowhere, findPerson: nowhere, post: nowhere, upload: nowhere };

const simulated = simulatedTools();
const TOOLS = toolTable(simulated);
const SETTING = { now: () => Date.now(), reach: NOWHERE };
const FOUR_EYES = { name: 'Four eyes', effect: 'guard', tool: 'wipe', approvers: [BEN, ZOE], quorum: 2 } as const;
const CONFIGS = {
  plain: checkConfig({ tools: simulated }, SETTING),
  busy: checkConfig({ tools: simulated, rules: [defineRule(FOUR_EYES)] }, SETTING),
};

/** Two uses, shared by all threads of the channel. */
const SHARED = {
  approvers: [ANN, BEN, ZOE],
  trust: { match: 'any', scope: 'channel', forMs: 3_600_000, uses: 2 },
} as const;

/** What a deployment changes between a question and its answer: the tool, or the people who decide. */
const CHANGING = [
  deployment(simulatedTools({ restart: SHARED }), []),
  deployment(simulatedTools({ restart: SHARED }), [defineRule(FOUR_EYES)]),
  deployment(
    simulatedTools({ restart: SHARED, save: { description: 'Saves otherwise.' }, wipe: { approvers: [ZOE] } }),
    [],
  ),
  deployment(simulatedTools({ restart: SHARED }), [
    defineRule({ name: 'By two eyes', effect: 'guard', tool: 'restart', approvers: [ZOE] }),
    defineRule({ name: 'Not now', effect: 'deny', tool: 'save' }),
  ]),
];

function deployment(
  tools: ReturnType<typeof simulatedTools>,
  rules: readonly ReturnType<typeof defineRule>[],
): Deployment {
  return { config: checkConfig({ tools, rules }, SETTING), tools: toolTable(tools) };
}

const kindOf = (seed: number): World['kind'] => (seed % 3 === 0 ? 'busy' : 'plain');
