import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { ANN, BEN } from '../../sandbox/people.ts';
import { audit, tools } from '../support/audit.ts';
import { cardIn, mention, type RunningBot, reply, type Stage, says } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { type HttpToolServer, startHttpToolServer } from '../support/mcp-server.ts';
import { PATIENCE_MS } from '../support/patience.ts';

/** What becomes of a tool that its tool server changes, in a real bot and with the command of the operator beside it. */

let stage: Stage;
let server: HttpToolServer;
let folder: string;
afterEach(async () => {
  await stage?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const first = { name: 'echo', description: 'Says it again.' };
const second = { name: 'echo', description: 'Says it again, and writes it down.' };

async function open(engine: (typeof ENGINES)[number]): Promise<void> {
  stage = await stageOn(engine);
  server = await startHttpToolServer([first]);
  folder = mkdtempSync(join(tmpdir(), 'countersign-pinned-'));
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { notes: { url: server.url } } }));
  const policy = { notes__echo: { approvers: [BEN] } };
  writeFileSync(join(folder, 'countersign.config.mjs'), `export default ${JSON.stringify({ policy })};`);
}

/** A bot in a container of its own; the embedded store is in its folder, so that stays. */
function startBot(): Promise<RunningBot> {
  const own = stage.redisUrl === undefined ? {} : { DATA_DIR: mkdtempSync(join(folder, 'data-')) };
  return stage.startBot({ env: { COUNTERSIGN_CONFIG: join(folder, 'countersign.config.mjs'), ...own } });
}

/** Says what happened and what to do. */
const TOLD =
  /tool server `notes` has changed `notes__echo` since it was allowed.*`npm run tools -- list` shows.*`npm run tools -- allow notes__echo` allows it/;

let asked = 0;
/** Whether the card of a new call says that its tool has changed. Ben denies the call then. */
async function isChanged(): Promise<boolean> {
  asked += 1;
  stage.sandbox.model.next({ content: [{ type: 'tool_use', id: `toolu_${asked}`, name: 'notes__echo', input: {} }] });
  const root = await mention(stage, ANN, `please echo ${asked}`);
  const card = await cardIn(stage, root);
  stage.sandbox.model.next('I leave it.');
  await stage.world.press(BEN, card, 'approval_deny');
  await reply(stage, root, 'I leave it.');
  const told = stage.world.messages(root).filter((message) => says(message, TOLD));
  const changed = says(card, 'has changed since it was last allowed');
  expect(told).toHaveLength(changed ? 1 : 0);
  return changed;
}

const store = (): Readonly<Record<string, string>> =>
  stage.redisUrl === undefined ? { DATA_DIR: stage.dataDir } : { REDIS_URL: stage.redisUrl };

it.each(ENGINES)(
  'a tool that changed between two containers is guarded until an operator allows it beside the running bots (%s) (EDGE-8, SURF-2, T12)',
  async (engine) => {
    await open(engine);
    const before = await startBot();
    expect(await isChanged()).toBe(false);
    await before.stop();
    server.changeQuietly([second]);

    const bots = [await startBot(), ...(engine === 'redis' ? [await startBot()] : [])];
    expect(await isChanged()).toBe(true);
    const listed = await tools(store(), 'list');
    expect([listed.code, listed.err]).toEqual([0, '']);
    expect(listed.out).toContain('CHANGED  notes__echo');
    expect(listed.out).toContain('+ "Says it again, and writes it down."');

    expect(await tools(store(), 'allow', 'notes__echo')).toMatchObject({ code: 0, err: '' });

    expect((await tools(store(), 'list')).out).toContain('allowed  notes__echo');
    await vi.waitFor(async () => expect(await isChanged()).toBe(false), { timeout: PATIENCE_MS, interval: 1_000 });
    for (const bot of bots) expect(bot.log()).not.toContain('refuses to write');
    expect(await audit(store(), 'verify')).toMatchObject({ code: 0 });
  },
);

it('a tool that changed and has no approver is not called, and the thread hears that it changed and what to do (SURF-2)', async () => {
  await open('sqlite');
  writeFileSync(join(folder, 'countersign.config.mjs'), 'export default {};');
  const before = await startBot();
  await before.stop();
  server.changeQuietly([second]);
  await startBot();
  stage.sandbox.model.next({ content: [{ type: 'tool_use', id: 'toolu_1', name: 'notes__echo', input: {} }] }, 'No.');
  const root = await mention(stage, ANN, 'please echo');

  await reply(stage, root, TOLD);
  await reply(stage, root, 'no person may give it here, because no approver is named');
  expect(server.calls).toEqual([]);
});

it('the command that allows a tool makes no store where there is none, and needs the key of an encrypted one (EDGE-8)', async () => {
  await open('sqlite');
  const empty = { DATA_DIR: join(folder, 'elsewhere') };
  expect(await tools(empty, 'allow', 'notes__echo')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing is stored in'),
  });
  const DATA_KEY = Buffer.alloc(32, 7).toString('base64');
  const COUNTERSIGN_CONFIG = join(folder, 'countersign.config.mjs');
  const bot = await stage.startBot({ env: { COUNTERSIGN_CONFIG, DATA_KEY } });
  server.changeQuietly([second]);
  await bot.stop();
  await stage.startBot({ env: { COUNTERSIGN_CONFIG, DATA_KEY } });

  expect(await tools(store(), 'allow', 'notes__echo')).toMatchObject({
    code: 1,
    err: expect.stringContaining('DATA_KEY is not set'),
  });
  expect(await tools({ ...store(), DATA_KEY }, 'allow', 'notes__echo')).toMatchObject({ code: 0, err: '' });
  expect(await audit({ ...store(), DATA_KEY }, 'verify')).toMatchObject({ code: 0 });
});
