import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import type { Log } from '../../../../app/log.ts';
import { createPinsJournal } from '../../../../app/recorder/index.ts';
import type { Thread, UserId } from '../../../../app/records/index.ts';
import type { Store } from '../../../../app/store/index.ts';
import { type RunToolOptions, runTool, type Tool, type ToolRun } from '../../../../app/tools/index.ts';
import {
  type CreateToolServersDeps,
  createPins,
  createToolServers,
  type Pins,
  type ToolServers,
} from '../../../../app/tools/mcp/index.ts';
import { SERVER_LIMITS } from '../../../../app/tools/mcp/limits.ts';
import type { Json } from '../../../../interventions/index.ts';
import { type HttpToolServer, type Listed, startHttpToolServer } from '../../../support/mcp-server.ts';
import { createModelStore } from '../../../support/model-store.ts';
import { PATIENCE_MS } from '../../../support/patience.ts';
import { testTimers } from '../../../support/timers.ts';

export type Way = 'stdio' | 'http';

export interface Started {
  readonly servers: ToolServers;
  readonly pins: Pins;
  readonly store: Store;
  readonly time: ReturnType<typeof testTimers>;
  readonly logged: {
    readonly level: string;
    readonly message: string;
    readonly fields: Readonly<Record<string, unknown>>;
  }[];
  readonly change: (tools: readonly Listed[]) => Promise<void>;
  readonly tool: (name: string) => Tool;
  readonly run: (name: string, input?: Json, options?: Partial<RunToolOptions>) => Promise<ToolRun>;
  /** Runs a tool as it was looked up before. */
  readonly runTool: (tool: Tool) => Promise<ToolRun>;
  /** Starts the bot's side again on the same files. */
  readonly again: (more?: Partial<CreateToolServersDeps>) => Promise<Started>;
}

const SERVER = join(import.meta.dirname, '../../../support/mcp-server.ts');
const ends: (() => unknown)[] = [];

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

export function atEnd(end: () => unknown): void {
  ends.push(end);
}

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-mcp-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function httpServer(tools: readonly Listed[]): Promise<HttpToolServer> {
  const server = await startHttpToolServer(tools);
  atEnd(() => server.stop().catch(() => {}));
  return server;
}

/** Lets the server change its list, and waits until the bot has read it. */
export async function change({ servers, change: tell, time }: Started, tools: readonly object[]): Promise<void> {
  const read = whenChanged(servers);
  await tell(tools as Parameters<typeof tell>[0]); // Also what is no tool.
  await vi.waitFor(async () => {
    time.advance(1_000);
    await Promise.race([read, new Promise((_, reject) => setTimeout(reject, 50))]);
  }, PATIENCE_MS);
}

/** Allows the tool `echo` as an operator does, in another process, and waits until the bot knows it. */
export async function allow({ store, servers, time }: Started): Promise<void> {
  const read = whenChanged(servers);
  await pinsIn(store).allow('test__echo');
  time.advance(SERVER_LIMITS.compareEveryMs);
  await read;
}

const whenChanged = (servers: ToolServers) => new Promise<void>((resolve) => servers.onChange(resolve));

/** The pins as one process sees them. */
export function pinsIn(store: Pick<Store, 'read' | 'append' | 'shards'>): Pins {
  return createPins(createPinsJournal({ store, entryId: () => randomUUID() }));
}

/** A bot's side with one server, named `test`. */
export async function start(
  way: Way,
  tools: readonly Listed[],
  more: Partial<CreateToolServersDeps> = {},
): Promise<Started> {
  if (way === 'http') {
    const server = await httpServer(tools);
    return connect({ url: server.url }, server.change, more);
  }
  const list = join(tempFolder(), 'tools.json');
  const change = async (next: readonly Listed[]) => writeFileSync(list, JSON.stringify(next));
  await change(tools);
  return connect({ command: process.execPath, args: [SERVER, list], env: { GIVEN: 'yes' } }, change, more);
}

export async function connect(
  entry: object,
  change: Started['change'] = async () => {},
  more: Partial<CreateToolServersDeps> = {},
  store: Store = createModelStore(testClock(0)),
): Promise<Started> {
  const folder = tempFolder();
  const file = join(folder, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { test: entry } }));
  return open({ store, file, change, more });
}

interface Place {
  readonly store: Store;
  readonly file: string;
  readonly change: Started['change'];
  readonly more: Partial<CreateToolServersDeps>;
}

async function open({ store, file, change, more }: Place): Promise<Started> {
  const time = testTimers();
  const logged: Started['logged'] = [];
  const line =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      logged.push({ level, message, fields });
    };
  const log: Log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
  const pins = pinsIn(store);
  const servers = await createToolServers({
    file,
    pins,
    env: {},
    log,
    clock: time,
    timers: time,
    random: () => 0.5,
    ...more,
  });
  atEnd(servers.close);
  const tool = (name: string): Tool => {
    const found = servers.tools().find((each) => each.name === `test__${name}`);
    expect(found, `test__${name} is offered`).toBeDefined();
    if (found === undefined) throw new Error('unreachable');
    return found;
  };
  return {
    servers,
    pins,
    store,
    time,
    logged,
    change,
    tool,
    run: (name, input = {}, options = {}) => runTool(tool(name), input, { ...CALL, ...options }),
    runTool: (found) => runTool(found, {}, CALL),
    again: async (next = {}) => {
      await servers.close();
      return open({ store, file, change, more: { ...more, ...next } });
    },
  };
}

const thread: Thread = { team: 'T1', channel: 'C1', ts: '1.1' };
const requester = 'U1' as UserId; // A test's own id: nothing checks it on the way.
const CALL = {
  key: 'r/1',
  thread,
  requester,
  signal: new AbortController().signal,
  graceMs: 5_000,
  timeoutMs: 600_000,
};
