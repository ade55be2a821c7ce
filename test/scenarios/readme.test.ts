import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { call } from '../../sandbox/model/answer.ts';
import { ANN } from '../../sandbox/people.ts';
import { audit, startAudit } from '../support/audit.ts';
import { cardIn, mention, reply, type Stage } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { block, type ExampleFolder, exampleFolder } from '../support/pages.ts';

let stage: Stage;
let folder: ExampleFolder;
beforeEach(() => {
  folder = exampleFolder();
});
afterEach(async () => {
  await stage?.close();
  folder.remove();
});

it('the tool that README writes in ten lines asks first and runs', async () => {
  const config = folder.save('countersign.config.ts', example().replace('U012ABCDE', ANN));
  stage = await stageOn('sqlite');
  await stage.startBot({ env: { COUNTERSIGN_CONFIG: config } });

  stage.sandbox.model.next({ content: [call('restart_service', { service: 'search' })] }, 'It is back.');
  const root = await mention(stage, ANN, 'search is slow');
  const card = await cardIn(stage, root);
  expect(JSON.stringify(card.blocks)).toContain('Restart the search service');
  await stage.world.press(ANN, card, 'approval_approve');
  await reply(stage, root, 'It is back.');

  expect(JSON.stringify(stage.sandbox.model.requests.at(-1)?.results)).toContain('Restarted search.');
});

it('the commands that the page about the audit names print what it quotes, over the journal of a real bot', async () => {
  stage = await stageOn('sqlite');
  const bot = await stage.startBot();
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
  await reply(stage, root, 'Done.');
  await bot.stop();

  const outputs = new Map<string, string>();
  for (const [, command = ''] of block('audit', 'sh').matchAll(/npm run audit -- (\w+)/g)) {
    outputs.set(command, await printed(command));
  }

  const masked = (text = '') => text.trim().replaceAll(/\d+(\.\d+)?/g, '0');
  expect([...outputs.keys()]).toEqual(['verify', 'export', 'tail', 'attention']);
  expect(masked(outputs.get('verify'))).toContain(masked(block('audit', 'text')));
  expect(masked(outputs.get('attention'))).toBe(masked(block('audit', 'text', 1)));
  for (const command of ['export', 'tail']) {
    const lines = (outputs.get(command) ?? '').split('\n').filter((line) => line.includes('"kind":"call-decided"'));
    expect(lines.map((line) => Object.keys(JSON.parse(line)).sort())).toEqual([
      Object.keys(JSON.parse(block('audit', 'json'))).sort(),
    ]);
  }
});

it('a copy that SQLite makes beside a running bot is whole, as the page about running says', async () => {
  stage = await stageOn('sqlite');
  await stage.startBot();
  await cardIn(stage, await mention(stage, ANN, 'restart the payments service'));
  const running = new DatabaseSync(join(stage.dataDir, 'countersign.sqlite'), { readOnly: true });
  await backup(running, join(folder.path, 'countersign.sqlite'));
  running.close();

  expect(await audit({ DATA_DIR: folder.path }, 'verify')).toMatchObject({ code: 0, out: '' });
  // The card stood there before the copy was made, so what it asks was stored.
  expect((await audit({ DATA_DIR: folder.path }, 'export')).out).toContain('"kind":"call-asked"');
});

/** What a command of the audit prints. `tail` goes on, and is ended when it has printed the decision. */
async function printed(command: string): Promise<string> {
  const where = { DATA_DIR: stage.dataDir };
  if (command === 'tail') {
    const tail = startAudit(where, command);
    await expect.poll(tail.out).toContain('"kind":"call-decided"');
    return (await tail.end()).out;
  }
  const { code, out, err } = await audit(where, command);
  expect(code, err).toBe(0);
  return out + err;
}

/** The code under "Write a tool". */
function example(): string {
  const text = /## Write a tool\n+```ts\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1];
  if (text === undefined) throw new Error('README has no example under "Write a tool".');
  return text;
}
