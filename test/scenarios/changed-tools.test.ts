import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { workspaceOf } from '../../app/store/keys.ts';
import { ANN } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { cardIn, cards, logged, mention, openCards, reply, type Stage, says } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';
import { install, startForMany } from '../support/install.ts';
import { brokenRules } from '../support/invariants.ts';

/** What becomes of cards whose tool a deployment changed or removed while they waited. */

let stage: Stage;
afterEach(() => stage?.close());

const ACME = 'T0ACME0001';
const BETA = 'T0BETA0001';

const ranFile = () => join(stage.dataDir, 'ran.txt');
const ran = () => readFileSync(ranFile(), 'utf8').trim().split('\n').filter(Boolean);

const deployment = (DEPLOYED: 'older' | 'newer') => ({
  env: { COUNTERSIGN_CONFIG: 'test/scenarios/changed-tools.config.ts', DEPLOYED, RAN: ranFile() },
});

async function asked(name: string, on: Stage = stage): Promise<SlackMessage> {
  stage.sandbox.model.next({ content: [{ type: 'tool_use', id: `toolu_${name}`, name, input: { service: 'mail' } }] });
  const root = await mention(on, ANN, `please ${name} mail`);
  await cardIn(on, root);
  return root;
}

it.each(['sqlite', 'redis'] as const)(
  'cards of a tool that a deployment changed are asked anew, and those of a removed tool are taken back, before a person presses them (%s) (EDGE-3)',
  async (engine) => {
    stage = await stageOn(engine);
    writeFileSync(ranFile(), '');
    const older = await stage.startBot(deployment('older'));
    const [changed, removed, same] = [await asked('deploy'), await asked('purge'), await asked('scale')];
    const untouched = await cardIn(stage, same);
    await older.stop();

    stage.sandbox.model.next('I cannot purge it.');
    const newer = await stage.startBot(deployment('newer'));
    await reply(stage, removed, 'I cannot purge it.');
    await stage.world.until(() => openCards(stage, removed).length === 0, { what: 'no buttons' });
    expect(cards(stage, removed).map((card) => says(card, 'This tool was removed since I asked'))).toEqual([true]);
    await stage.world.until(() => cards(stage, changed).length === 2 && openCards(stage, changed).length === 1, {
      what: 'one card in the place of the other',
    });
    expect(says(cards(stage, changed)[0] ?? { text: '', blocks: [] }, 'This tool has changed since I asked')).toBe(
      true,
    );
    expect(openCards(stage, same)).toEqual([untouched]);
    expect(ran()).toEqual([]);

    stage.sandbox.model.next('Deployed.');
    await stage.world.press(ANN, await cardIn(stage, changed), 'approval_approve');
    await reply(stage, changed, 'Deployed.');
    expect(ran()).toEqual(['deploy mail']);
    for (const root of [changed, removed])
      await stage.world.until(() => stage.world.session(root).status === 'active', { what: 'the end' });
    await newer.kill();
    const history = await historyOf(stage, changed, removed, same);
    expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
  },
);

/** Two workspaces that installed the app, each with a card of a tool that the next deployment removes. */
async function askedInTwo() {
  const { port, bot } = await startForMany(stage, deployment('older'));
  const [acme, beta] = [await install(stage, port, ACME), await install(stage, port, BETA)];
  const places = [acme, beta].map((world): Stage => ({ ...stage, world }));
  const asking: { readonly place: Stage; readonly root: SlackMessage }[] = [];
  for (const place of places) asking.push({ place, root: await asked('purge', place) });
  await bot.stop();
  return asking;
}

const takenBack = ({ place, root }: { readonly place: Stage; readonly root: SlackMessage }) =>
  place.world.until(
    () => openCards(place, root).length === 0 && says(cards(place, root)[0] ?? root, 'was removed since I asked'),
    {
      what: 'the card is taken back',
    },
  );

it.each(ENGINES)(
  'cards of a removed tool are taken back in every workspace that installed the app, before anything happens there (%s) (EDGE-3)',
  async (engine) => {
    stage = await stageOn(engine);
    writeFileSync(ranFile(), '');
    const asking = await askedInTwo();

    await startForMany(stage, deployment('newer'));
    await Promise.all(asking.map(takenBack));
    expect(ran()).toEqual([]);
  },
);

it('a workspace whose journal cannot be read does not keep the cards of another one from being taken back (EDGE-3)', async () => {
  stage = await stageOn('sqlite');
  writeFileSync(ranFile(), '');
  const [acme, beta] = await askedInTwo();
  if (acme === undefined || beta === undefined) throw new Error('There are not two workspaces.');
  const file = new DatabaseSync(join(stage.dataDir, 'countersign.sqlite'));
  const spoilt = file
    .prepare("UPDATE entries SET text = 'spoilt' WHERE substr(journal, 3) = ? AND position = 0")
    .run(workspaceOf(ACME, 1).slice(2));
  file.close();
  expect(spoilt.changes).toBe(1);

  const { bot } = await startForMany(stage, deployment('newer'));
  await takenBack(beta);
  await logged(bot, 'An installed workspace could not be looked up.');
  expect(openCards(acme.place, acme.root)).toHaveLength(1);
});
