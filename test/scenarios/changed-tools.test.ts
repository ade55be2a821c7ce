import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { cardIn, cards, mention, openCards, reply, type Stage, says, whisper } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';

/** What becomes of cards whose tool a deployment changed or removed while they waited. */

let stage: Stage;
afterEach(() => stage?.close());

const ranFile = () => join(stage.dataDir, 'ran.txt');
const ran = () => readFileSync(ranFile(), 'utf8').trim().split('\n').filter(Boolean);

function startDeployment(DEPLOYED: 'older' | 'newer') {
  const COUNTERSIGN_CONFIG = 'test/scenarios/changed-tools.config.ts';
  return stage.startBot({ env: { COUNTERSIGN_CONFIG, DEPLOYED, RAN: ranFile() } });
}

async function asked(name: string): Promise<SlackMessage> {
  stage.sandbox.model.next({ content: [{ type: 'tool_use', id: `toolu_${name}`, name, input: { service: 'mail' } }] });
  const root = await mention(stage, ANN, `please ${name} mail`);
  await cardIn(stage, root);
  return root;
}

it.each(['sqlite', 'redis'] as const)(
  'cards of a tool that a deployment changed are asked anew, and those of a removed tool are taken back, before a person presses them (%s) (EDGE-3)',
  async (engine) => {
    stage = await stageOn(engine);
    writeFileSync(ranFile(), '');
    const older = await startDeployment('older');
    const [changed, removed, same] = [await asked('deploy'), await asked('purge'), await asked('scale')];
    const untouched = await cardIn(stage, same);
    await older.stop();

    stage.sandbox.model.next('I cannot purge it.');
    const newer = await startDeployment('newer');
    await reply(stage, removed, 'I cannot purge it.');
    await stage.world.until(() => openCards(stage, removed).length === 0, { what: 'no buttons' });
    expect(cards(stage, removed).map((card) => says(card, 'A deployment has removed this tool'))).toEqual([true]);
    await stage.world.until(() => cards(stage, changed).length === 2 && openCards(stage, changed).length === 1, {
      what: 'one card in the place of the other',
    });
    expect(says(cards(stage, changed)[0] ?? { text: '', blocks: [] }, 'A deployment has changed this tool')).toBe(true);
    expect(openCards(stage, same)).toEqual([untouched]);
    expect(ran()).toEqual([]);

    stage.sandbox.model.next('Deployed.');
    await stage.world.press(ANN, await cardIn(stage, changed), 'approval_approve');
    expect(await whisper(stage, ANN, 'You approved')).toContain('It runs once.');
    await reply(stage, changed, 'Deployed.');
    expect(ran()).toEqual(['deploy mail']);
    for (const root of [changed, removed])
      await stage.world.until(() => stage.world.session(root).status === 'active', { what: 'the end' });
    await newer.kill();
    const history = await historyOf(stage, changed, removed, same);
    expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
  },
);
