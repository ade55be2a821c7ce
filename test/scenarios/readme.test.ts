import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { call } from '../../sandbox/model/answer.ts';
import { ANN } from '../../sandbox/people.ts';
import { cardIn, mention, reply, type Stage, whisper } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
let folder: string;
afterEach(async () => {
  await stage?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('the tool that README writes in ten lines is asked about and runs', async () => {
  // Inside the project, where a copy of the example would find its packages as well.
  mkdirSync('.data', { recursive: true });
  folder = mkdtempSync(join('.data', 'readme-'));
  const config = join(folder, 'countersign.config.ts');
  writeFileSync(
    config,
    example()
      .replaceAll('./app/', `${resolve('app')}/`)
      .replace('U012ABCDE', ANN),
  );
  stage = await stageOn('sqlite');
  await stage.startBot({ env: { COUNTERSIGN_CONFIG: config } });

  stage.sandbox.model.next({ content: [call('restart_service', { service: 'search' })] }, 'It is back.');
  const root = await mention(stage, ANN, 'search is slow');
  const card = await cardIn(stage, root);
  expect(JSON.stringify(card.blocks)).toContain('Restart the search service.');
  await stage.world.press(ANN, card, 'approval_approve');
  await reply(stage, root, 'It is back.');

  await whisper(stage, ANN, 'approved');
  expect(JSON.stringify(stage.sandbox.model.requests.at(-1)?.results)).toContain('Restarted search.');
});

/** The code under "Write a tool". */
function example(): string {
  const text = /## Write a tool\n+```ts\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1];
  if (text === undefined) throw new Error('README has no example under "Write a tool".');
  return text;
}
