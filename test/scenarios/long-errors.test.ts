import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { call } from '../../sandbox/model/answer.ts';
import { ANN, OPS } from '../../sandbox/people.ts';
import { cardIn, logged, mention, type RunningBot, reply, type Stage } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { listen } from '../support/listen.ts';
import { type HttpToolServer, startHttpToolServer } from '../support/mcp-server.ts';

/** Errors of 1 MB, from every side that speaks to a real bot. What the bot itself writes around one has its own room. */
const MOST_BYTES = 4_096;
const OUR_WORDS = 300;

let stage: Stage;
let server: HttpToolServer;
let refusing: Server;
let folder: string;
let bot: RunningBot;

beforeEach(async () => {
  stage = await stageOn('sqlite');
  const tools = ['fail-at-length', 'refuse-at-length'].map((name) => ({ name }));
  server = await startHttpToolServer(tools);
  refusing = refusingServer();
  folder = mkdtempSync(join(tmpdir(), 'countersign-long-errors-'));
  const list = join(folder, 'tools.json');
  writeFileSync(list, JSON.stringify(tools));
  const program = { command: process.execPath, args: [join(import.meta.dirname, '../support/mcp-server.ts'), list] };
  const port = await listen(refusing);
  const mcpServers = { http: { url: server.url }, program, refusing: { url: `http://127.0.0.1:${port}/mcp` } };
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }));
  const config = join(import.meta.dirname, 'long-errors.config.ts');
  writeFileSync(join(folder, 'countersign.config.mjs'), `export { default } from ${JSON.stringify(config)};`);
  bot = await stage.startBot({ env: { COUNTERSIGN_CONFIG: join(folder, 'countersign.config.mjs') } });
});
afterEach(async () => {
  await stage?.close();
  await server?.stop();
  refusing?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A tool server that refuses every request at length, as JSON-RPC does. */
function refusingServer(): Server {
  return createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { id } = JSON.parse(Buffer.concat(parts).toString() || '{}');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_603, message: 'no '.repeat(300_000) } }));
  });
}

async function heardOf(tool: string, press?: 'approval_approve'): Promise<readonly string[]> {
  stage.sandbox.model.next({ content: [call(tool, {})] }, `I called ${tool}.`);
  const root = await mention(stage, ANN, `please use ${tool}`);
  if (press !== undefined) await stage.world.press(ANN, await cardIn(stage, root), press);
  await reply(stage, root, `I called ${tool}.`);
  return (stage.sandbox.model.requests.at(-1)?.results ?? []).map(({ text }) => text);
}

/** The longest text in all of it, in bytes. */
function longest(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 0;
  return Math.max(0, ...Object.values(value).map(longest));
}

/** How many of the signs that an error repeats 250,000 times are in the files of the store. */
function kept(): number {
  const files = readdirSync(stage.dataDir, { recursive: true, encoding: 'utf8', withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
  return texts.join('').split('😀').length;
}

/** A write may be in two files of the store, and a result in the turn that the model answers as well. */
const MOST_KEPT = 10 * MOST_BYTES;

const logLines = (): readonly unknown[] =>
  bot
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

it('what a tool or a tool server says of a failure is cut to 4 KB for the model, the thread, the log and the store (EDGE-7)', async () => {
  const heard = [
    ...(await heardOf('throws')),
    ...(await heardOf('throws_no_error')),
    ...(await heardOf('loses_it')),
    ...(await heardOf('cannot_check')),
    ...(await heardOf('does_not_fit')),
    ...(await heardOf('cannot_look')),
    ...(await heardOf('http__fail-at-length', 'approval_approve')),
    ...(await heardOf('http__refuse-at-length', 'approval_approve')),
    ...(await heardOf('program__fail-at-length', 'approval_approve')),
    ...(await heardOf('program__refuse-at-length', 'approval_approve')),
  ];
  await heardOf('cannot_describe', 'approval_approve');
  await logged(bot, 'A tool server is away');

  expect(heard).toHaveLength(10);
  expect(heard.filter((text) => !/\d more characters\)/.test(text))).toEqual([]);
  expect(heard.filter((text) => /\p{Cs}/u.test(text))).toEqual([]);
  expect(longest(heard)).toBeLessThanOrEqual(MOST_BYTES + OUR_WORDS);
  expect(longest(logLines())).toBeLessThanOrEqual(MOST_BYTES);
  expect(longest(stage.world.channel(OPS))).toBeLessThanOrEqual(MOST_BYTES + OUR_WORDS);
  expect(kept()).toBeLessThan(MOST_KEPT);
  expect(bot.isAlive()).toBe(true);
});

it('what Slack or the model says of a refusal is cut to 4 KB in the log and the thread (EDGE-7)', async () => {
  const error = 'no '.repeat(300_000);
  stage.world.faults.set('agents.sessions.setStatus', { type: 'platform', error }, Number.POSITIVE_INFINITY);
  stage.sandbox.model.faults.set('*', { type: 'platform', error });

  await reply(stage, await mention(stage, ANN, 'are you there?'), /could not get an answer from the model/);

  await logged(bot, 'A run failed.');
  const isOfModel = (line: string) => line.includes('A run failed.');
  const lines = bot.log().split('\n');
  expect(lines.filter(isOfModel).join()).toContain('no no no');
  expect(lines.filter((line) => !isOfModel(line)).join()).toContain('no no no');
  expect(longest(logLines())).toBeLessThanOrEqual(MOST_BYTES);
  expect(longest(stage.world.channel(OPS))).toBeLessThanOrEqual(MOST_BYTES + OUR_WORDS);
  expect(bot.isAlive()).toBe(true);
});
