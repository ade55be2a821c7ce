import { createSecretKey, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../app/clock.ts';
import { silentLog } from '../../app/log.ts';
import { createSecretBox } from '../../app/secrets/box.ts';
import { openStore } from '../../app/store/open.ts';
import { ANN, BOT, OPS } from '../../sandbox/people.ts';
import type { SlackMessage, View } from '../../sandbox/records.ts';
import type { World } from '../../sandbox/world.ts';
import { cardIn, doubtIn, draws, reply, type Stage } from '../support/bot.ts';
import { ENGINES, type Engine, stageOn } from '../support/engines.ts';
import { install, startForMany } from '../support/install.ts';
import { clearIn, storedOn } from '../support/stored.ts';

let stage: Stage;
afterEach(() => stage?.close());

const TEAM = 'T0ACME0001';
const KEY = randomBytes(32);
const SERVER = join(import.meta.dirname, '../support/mcp-server.ts');

/** What people and the agent write. None of it looks like a secret. */
const SAID = {
  message: 'porcupine',
  thought: 'lighthouse',
  input: 'windmill',
  edited: 'trombone',
  denial: 'umbrella',
  answered: 'chandelier',
  reported: 'telescope',
  toServer: 'mandolin',
  reply: 'saxophone',
} as const;
/** What `canaries.config.ts` and the tool server write. */
const WRITTEN = ['walrus', 'nightingale', 'octopus', 'kingfisher', 'badger', 'ferret', 'Which branch'];
const WORDS = [...Object.values(SAID), ...WRITTEN];

const conversation = {
  example: 'porcupine keep_note',
  begins: (said: string) => said.includes(SAID.message),
  play: ({ said, results: [result] }: { readonly said: string; readonly results: readonly unknown[] }) =>
    result === undefined
      ? {
          content: [
            { type: 'text' as const, text: `I think of a ${SAID.thought}.` },
            { type: 'tool_use' as const, name: said.split(' ').at(-1) ?? '', input: { note: SAID.input } },
          ],
        }
      : `It is over, ${SAID.reply}.`,
};

const start = (dieAt?: string) =>
  startForMany(stage, {
    ...(dieAt === undefined ? {} : { dieAt }),
    env: {
      COUNTERSIGN_CONFIG: 'test/scenarios/canaries.config.ts',
      TEST_TOOL_SERVERS: join(stage.dataDir, 'mcp.json'),
      DATA_KEY: KEY.toString('base64'),
    },
  });

/** The words and the name of the bot in one workspace. */
function onStage(world: World) {
  const here = { ...stage, world };
  const ask = (tool: string) => world.say(ANN, OPS, `<@${BOT}> ${SAID.message} ${tool}`);
  const form = (): Promise<View> =>
    world.until(() => world.views(ANN).find(({ content }) => content.submit !== undefined));
  const choose = async (card: SlackMessage, option: string, fields: Record<string, string>) => {
    await world.press(ANN, card, 'approval_more', { option });
    return world.submit(ANN, await form(), fields);
  };
  return { here, ask, form, choose };
}

async function everyKindOfText(engine: Engine): Promise<readonly string[]> {
  stage = await stageOn(engine, { sandbox: { conversations: [conversation] } });
  const tools = join(stage.dataDir, 'tools.json');
  writeFileSync(tools, JSON.stringify([{ name: 'ask' }]));
  const servers = { notes: { command: process.execPath, args: [SERVER, tools] } };
  writeFileSync(join(stage.dataDir, 'mcp.json'), JSON.stringify({ mcpServers: servers }));

  const { port, bot } = await start();
  const world = await install(stage, port, TEAM);
  const { here, ask, form, choose } = onStage(world);
  const over = (root: SlackMessage) => reply(here, root, SAID.reply);

  const edited = await ask('keep_note');
  await choose(await cardIn(here, edited), 'Edit input…', { 'field-0': SAID.edited });
  await over(edited);
  const denied = await ask('keep_note');
  await choose(await cardIn(here, denied), 'Deny with a reason…', { reason: `Not without an ${SAID.denial}.` });
  await over(denied);
  const answered = await ask('keep_note');
  const card = await cardIn(here, answered);
  const [, id = ''] = /"value":"(\d{2}a[\w-]{22})"/.exec(JSON.stringify(card.blocks)) ?? [];
  await choose(card, `answer ${id}`, { answer: `I have a ${SAID.answered}.` });
  await over(answered);
  const trusted = await ask('keep_note');
  await world.press(ANN, await cardIn(here, trusted), 'approval_trust');
  await over(trusted);
  const inquired = await ask('notes__ask');
  await world.press(ANN, await cardIn(here, inquired), 'approval_approve');
  const inquiry = await world.until(() => world.messages(inquired).find((one) => draws(one, 'inquiry_answer')));
  await world.press(ANN, inquiry, 'inquiry_answer');
  await world.submit(ANN, await form(), { 'field-0': SAID.toServer });
  await over(inquired);
  const alive = await storedOn(stage);
  await bot.stop();

  const dying = await start('call-started');
  const lost = await ask('keep_note');
  await world.press(ANN, await cardIn(here, lost), 'approval_approve');
  await dying.bot.gone;
  const last = await start();
  await world.press(ANN, await doubtIn(here, lost), 'doubt_happened');
  await world.submit(ANN, await form(), { said: `I saw it through a ${SAID.reported}.` });
  await over(lost);
  // One waits when the bot is killed.
  await cardIn(here, await ask('keep_note'));
  await last.bot.kill();
  return [alive, await storedOn(stage)];
}

/** All that can be read with the key. */
async function withKey(): Promise<string> {
  const { dataDir, redisUrl } = stage;
  const box = createSecretBox([createSecretKey(KEY)]);
  const store = await openStore({ dataDir, redisUrl, box, clock: systemClock, log: silentLog, readOnly: true });
  const texts: string[] = [];
  for (const kind of ['run', 'grant', 'workspace'] as const) {
    for (const name of await store.journals(kind)) {
      texts.push(...(await store.read(name)).entries.map(({ text }) => text));
    }
  }
  for (const run of await store.journals('run')) texts.push(...(await store.readItems(run)));
  await store.close();
  return texts.join('\n');
}

describe.each(ENGINES)('a bot with a key (%s)', (engine) => {
  it('leaves no text of people, the agent, tools and the configuration readable in the store (EDGE-1, T16)', async () => {
    const stored = await everyKindOfText(engine);

    const read = await withKey();
    expect(WORDS.filter((word) => !read.includes(word))).toEqual([]);
    for (const bytes of stored) {
      expect(bytes).toContain('sealed:');
      expect([...WORDS, 'gazelle', 'xoxb-'].filter((word) => bytes.includes(word))).toEqual([]);
    }
    expect(await clearIn(stage)).toEqual([]);
  });
});
