import { stdout } from 'node:process';
import { onTestFailed, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { checkConfig } from '../../../app/config/check.ts';
import { createRedaction } from '../../../app/secrets/redaction.ts';
import type { Step } from '../../../app/step.ts';
import type { Store } from '../../../app/store/index.ts';
import { defineTool, type Tool, toolTable } from '../../../app/tools/index.ts';
import { createModelStore } from '../model-store.ts';
import { MEMBERS } from '../people.ts';
import { reachNothing } from '../reach.ts';
import { BEGIN_MS, Bot, THREAD, type Wishes } from './bot.ts';
import { scriptedModel } from './model.ts';
import { type Around, startProcess } from './process.ts';
import { recordedThread } from './thread.ts';

/**
 * The whole bot in the process of a test: everything that `app/assembly/` joins, between a store in memory, a scripted
 * model, a thread that records what it is told, and a clock that moves when the test says so. A failing test prints the
 * story of its runs.
 *
 *   const bot = await inProcess({ tools: [tool('restart')] });
 *   bot.model.says(call('restart', { service: 'payments' }));
 *   await bot.mention(ANN, 'restart payments');
 *   await bot.press(ANN, bot.card(), 'approve');
 *   expect(bot.ran()).toEqual(['restart {"service":"payments"}']);
 *   expect(bot.posts()).toEqual(['Done.']);
 */
export async function inProcess(wishes: Wishes): Promise<Bot> {
  vi.useFakeTimers({ toFake: [...FAKED], now: BEGIN_MS });
  onTestFinished(() => void vi.useRealTimers());

  const ran: string[] = [];
  const logged: string[] = [];
  const hooks = new Map<Step, () => unknown>();
  const model = scriptedModel();
  const thread = recordedThread(THREAD);
  const facts = createModelStore({ now: () => Date.now() });
  const note = (level: string) => (message: string, about?: object) => {
    const why = about !== undefined && 'error' in about ? ` (${about.error})` : '';
    logged.push(`${level}: ${message}${why}`);
  };
  const deploy = ({ tools, people, shared = false, around = same, changes = {}, ...config }: Wishes): Around => {
    const checked = checkConfig({ tools, ...config }, { now: () => Date.now(), reach: reachNothing });
    return {
      config: checked,
      store: around({ ...facts, isExclusive: !shared }),
      surface: thread.surface,
      people: { ...EVERYBODY, ...people },
      tools: toolTable(checked.tools.map((one) => witnessed(one, ran))),
      toolServers: [],
      model: model.answer,
      redaction: createRedaction({ settings: checked.redact, key: new Uint8Array(32) }),
      schemaProblem: async () => undefined,
      log: { debug: () => {}, info: note('info'), warn: note('warn'), error: note('error') },
      step: async (step) => void (await hooks.get(step)?.()),
      ...changes,
    };
  };
  const process = await startProcess('one', deploy(wishes));
  const bot = new Bot({ wishes, deploy, facts, model, thread, ran, logged, hooks }, process);
  onTestFailed(async () => void stdout.write(`${await bot.story()}\n`));
  return bot;
}

const same = (store: Store): Store => store;

const EVERYBODY: Around['people'] = { ...MEMBERS, isAdmin: async () => false };

const FAKED = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const;

/** A tool that takes the name of a service and says that it is done. */
export function tool(name: string, more: Partial<Parameters<typeof defineTool>[0]> = {}): Tool {
  const input = z.object({ service: z.string().default('payments') });
  return defineTool({ name, description: `Does ${name}.`, input, run: () => `${name} is done`, ...more });
}

/** An open tool has to say why. */
export const OPEN = { effect: 'open', because: 'It only looks.' } as const;

/** The same tool, and what it is run with is known. */
function witnessed(one: Tool, ran: string[]): Tool {
  return {
    ...one,
    run: (input, help) => {
      ran.push(`${one.name} ${JSON.stringify(input)}`);
      return one.run(input, help);
    },
  };
}

export { call } from '../scripted-model.ts';
export { Bot, THREAD } from './bot.ts';
export type { Says } from './model.ts';
