import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, BOT, directChannel, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { aWhile, cardIn, mention, openCards, reply, type Stage, witnessed } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';
import { writtenLater } from '../support/read-history.ts';

let stage: Stage;
afterEach(() => stage?.close());

const env = { COUNTERSIGN_CONFIG: 'test/scenarios/reminding.config.ts' };

/** In the thread, and to the person alone. */
const callsOn = (user: string, root: SlackMessage): readonly SlackMessage[] =>
  [
    ...stage.world.messages(root).filter(({ text }) => text.includes(`<@${user}>`)),
    ...stage.world.channel(directChannel(user)),
  ].filter((message) => message.user === BOT && /^(reminder|escalation):/.test(keyOf(message)));

const keyOf = ({ metadata }: SlackMessage): string => /"key":"([^"]*)"/.exec(JSON.stringify(metadata ?? {}))?.[1] ?? '';

describe.each(ENGINES)('a question without an answer (%s)', (engine) => {
  it('calls its approvers once and its escalation once, even when the bot is killed in between (P61)', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot({ env });
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    await stage.world.until(() => callsOn(ANN, root).length === 1);
    await first.kill();
    await stage.startBot({ env });
    await stage.world.until(() => callsOn(BEN, root).length === 1);
    await aWhile(1_500);

    expect(callsOn(ANN, root)).toHaveLength(1);
    expect(callsOn(BEN, root)).toHaveLength(1);
    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });
});

describe('a question that was answered', () => {
  it('reminds no person (P61)', async () => {
    stage = await stageOn('sqlite');
    const bot = await stage.startBot({ env });
    const root = await mention(stage, ANN, 'restart the payments service');

    await stage.world.press(ANN, await cardIn(stage, root), 'approval_deny');
    await reply(stage, root, 'Understood');
    await aWhile(3_000);

    await bot.kill();
    const { runs } = await historyOf(stage, root);
    expect(writtenLater([...callsOn(ANN, root), ...callsOn(BEN, root)], runs)).toEqual([]);
  });
});

describe('a question that one of two approvers has approved', () => {
  it('reminds the other approver alone (P61)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot({ env });
    const root = await mention(stage, ANN, 'drop the old database');
    await stage.world.press(BEN, await cardIn(stage, root), 'approval_approve');

    await stage.world.until(() => callsOn(ZOE, root).length === 1);
    await aWhile();

    expect(callsOn(BEN, root)).toEqual([]);
    expect(openCards(stage, root)).toHaveLength(1);
  });
});
