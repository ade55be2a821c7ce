import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN } from '../../sandbox/people.ts';
import { cardIn, cards, mention, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

function setDatabases(...databases: readonly string[]): void {
  const services = Object.fromEntries(
    ['payments', 'search', 'billing', 'mail'].map((name) => [name, { status: 'running', restarts: 0 }]),
  );
  writeFileSync(join(stage.dataDir, 'services.json'), JSON.stringify({ services, databases }));
}

describe.each(ENGINES)('a precondition that changes while people think (%s)', (engine) => {
  it('makes the bot ask again with the difference, and run only on the second approval (T4)', async () => {
    stage = await stageOn(engine);
    const bot = await stage.startBot();
    const root = await mention(stage, ANN, 'drop the old database');
    const first = await cardIn(stage, root);
    expect(says(first, 'Right now: ')).toBe(true);

    // Meanwhile the world has changed, and the bot has been started again.
    setDatabases('payments', 'customers');
    await bot.kill();
    await stage.startBot();
    await stage.world.press(BEN, first, 'approval_approve');
    await stage.world.until(() => cards(stage, root).length === 2);
    const second = await cardIn(stage, root);

    expect(witnessed(stage, 'begun')).toEqual([]);
    expect(says(second, 'did not run because this has changed')).toBe(true);
    expect(says(second, 'payments_old is there.')).toBe(true);
    expect(says(second, 'There is no database payments_old.')).toBe(true);
    await stage.world.until(() => says(stage.world.message(first) ?? first, 'so I asked again'));

    setDatabases('payments', 'payments_old');
    await stage.world.press(BEN, second, 'approval_approve');
    await stage.world.until(() => cards(stage, root).length === 3);
    await stage.world.press(BEN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'Done.');

    expect(witnessed(stage)).toMatchObject([{ tool: 'drop_database', input: { database: 'payments_old' } }]);
    expect(witnessed(stage, 'begun')).toHaveLength(1);
  });
});
