import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, ON_CALL, OPS, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import {
  aWhile,
  type BotOptions,
  cardIn,
  cards,
  mention,
  openCards,
  reply,
  type Stage,
  says,
  whisper,
  witnessed,
} from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';

let stage: Stage;
afterEach(() => stage?.close());

const ruled: BotOptions = { env: { COUNTERSIGN_CONFIG: 'test/support/ruled.config.ts' } };
const [YES, NO] = ['approval_approve', 'approval_deny'];

describe('a rule', () => {
  it('that denies keeps the call from running, and no person is asked', async () => {
    stage = await stageOn('sqlite');
    const bot = await stage.startBot(ruled);

    const root = await mention(stage, ANN, 'restart the mail service');

    await reply(stage, root, /./);
    await aWhile();
    expect(cards(stage, root)).toEqual([]);
    expect(witnessed(stage, 'begun')).toEqual([]);
    await bot.stop();
    const judged = await judgedOf(stage, root);
    expect(judged).toEqual([
      expect.objectContaining({ rule: 'Mail stays up', would: 'deny', shadow: false }),
      expect.objectContaining({ rule: 'No restarts at all', would: 'deny', shadow: true }),
    ]);
  });

  it('that allows lets the call run without a card, and is named in the journal', async () => {
    stage = await stageOn('sqlite');
    const bot = await stage.startBot(ruled);

    const root = await mention(stage, ANN, 'restart the search service');

    await stage.world.until(() => witnessed(stage).length === 1);
    expect(cards(stage, root)).toEqual([]);
    await bot.stop();
    const { runs } = await historyOf(stage, root);
    const starts = runs.flatMap(({ entries }) => entries.filter(({ type }) => type === 'call-started'));
    expect(starts).toMatchObject([{ grant: { type: 'open', rule: 'Search heals itself' } }]);
  });

  it('that names a user group is for its members at the time of the press (P34)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot(ruled);
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    expect(says(card, 'Payments are for on call')).toBe(true);
    expect(says(card, `<!subteam^${ON_CALL}>`)).toBe(true);

    const group = stage.world.groups.get(ON_CALL);
    if (group === undefined) throw new Error('There is nobody on call.');
    stage.world.groups.set(ON_CALL, { ...group, members: [ZOE] });
    for (const action of [YES, NO]) {
      await stage.world.press(BEN, card, action);
      await stage.world.press(ANN, card, action);
    }
    await whisper(stage, BEN, /Only .* can decide this/);
    await aWhile();
    expect(openCards(stage, root)).toHaveLength(1);

    await stage.world.press(ZOE, card, YES);
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });
});

describe.each(ENGINES)('a question to a group (%s)', (engine) => {
  it('is listed to the members of the group, and to no person while Slack does not name them (P12, P34)', async () => {
    stage = await stageOn(engine);
    await stage.startBot(ruled);
    const group = stage.world.groups.get(ON_CALL);
    if (group === undefined) throw new Error('There is nobody on call.');
    stage.world.groups.set(ON_CALL, { ...group, members: [BEN] });
    const card = await cardIn(stage, await mention(stage, ANN, 'restart the payments service'));

    for (const person of [BEN, ZOE, ANN]) await stage.world.command(person, card.channel, '/approvals');
    await whisper(stage, BEN, /Waiting for you/);
    await whisper(stage, ZOE, 'Nothing waits for you.');
    await whisper(stage, ANN, 'Nothing waits for you.');

    stage.world.groups.delete(ON_CALL);
    // What Slack said about the group is kept for five seconds, and drawing a page asks for it as well.
    await aWhile(5_500);
    await stage.world.command(BEN, card.channel, '/approvals');
    await whisper(stage, BEN, 'Nothing waits for you.');
  });
});

it('an edited input that a rule denies cannot be approved, and the form names the rule (P18, P34)', async () => {
  stage = await stageOn('sqlite');
  await stage.startBot(ruled);
  const root = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, root);
  await stage.world.press(BEN, card, 'approval_more', { option: 'Edit input…' });
  const open = await stage.world.until(() =>
    stage.world.views(BEN).find(({ content }) => content.submit !== undefined),
  );

  const submitted = await stage.world.submit(BEN, open, { 'field-0': 'mail' });

  expect(JSON.stringify(submitted.result)).toContain('Mail stays up');
  expect(openCards(stage, root)).toHaveLength(1);
  expect(witnessed(stage, 'begun')).toEqual([]);
});

describe.each(ENGINES)('a quorum of two (%s)', (engine) => {
  it('approves before the call runs, over a restart, and the card counts the yeses (P44)', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot(ruled);
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);
    expect(says(card, '0 of 2')).toBe(true);
    expect(says(card, 'Trust approves')).toBe(false);

    await stage.world.press(BEN, card, YES);
    await stage.world.until(() => says(stage.world.message(card) ?? card, '1 of 2'));
    await stage.world.press(BEN, card, YES);
    await whisper(stage, BEN, /counts already/);
    await stage.world.press(ANN, card, YES);
    await first.kill();
    expect(witnessed(stage, 'begun')).toEqual([]);

    await stage.startBot(ruled);
    await stage.world.press(ZOE, card, YES);
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
    const end = await stage.world.until(() => {
      const message = stage.world.message(card);
      return message !== undefined && says(message, 'Approved by') ? message : undefined;
    });
    expect(says(end, `<@${BEN}> and <@${ZOE}>`)).toBe(true);
  });
});

it('the yes of a person who is deactivated before the second yes does not count, and the card says whose is missing (P34, P44)', async () => {
  stage = await stageOn('sqlite');
  await stage.startBot(ruled);
  const root = await mention(stage, ANN, 'drop the old database');
  const card = await cardIn(stage, root);
  await stage.world.press(BEN, card, YES);
  await stage.world.until(() => says(stage.world.message(card) ?? card, '1 of 2'));

  const ben = stage.world.people.get(BEN);
  if (ben === undefined) throw new Error('There is no Ben.');
  stage.world.people.set(BEN, { ...ben, isDeactivated: true });
  // What Slack said about people is kept for five seconds.
  await aWhile(5_500);
  await stage.world.press(ZOE, card, YES);
  await stage.world.until(() => says(stage.world.message(card) ?? card, /1 of 2.*does not count any more/));
  await aWhile();
  expect(witnessed(stage, 'begun')).toEqual([]);

  stage.world.people.set(BEN, ben);
  await aWhile(5_500);
  await stage.world.press(BEN, card, YES);
  await reply(stage, root, 'Done.');
});

it('one denial ends a call that several people decide, even after other people have approved (P19d)', async () => {
  stage = await stageOn('sqlite');
  await stage.startBot(ruled);
  const root = await mention(stage, ANN, 'drop the old database');
  const card = await cardIn(stage, root);

  await stage.world.press(BEN, card, YES);
  await stage.world.until(() => says(stage.world.message(card) ?? card, '1 of 2'));
  await stage.world.press(ZOE, card, NO);
  await stage.world.until(() => openCards(stage, root).length === 0);
  await stage.world.press(BEN, card, YES, { forged: true });

  await aWhile();
  expect(witnessed(stage, 'begun')).toEqual([]);
});

it('trust in words is refused to a person who could not decide alone (P39)', async () => {
  stage = await stageOn('sqlite');
  await stage.startBot(ruled);

  await stage.world.command(ZOE, OPS, '/trust', 'drop_database channel 1h');
  await whisper(stage, ZOE, /Four eyes.*cannot be trusted/);
});

it('trust in words says that the bot sees no members of a channel that it is not in, where these decide (P39)', async () => {
  stage = await stageOn('sqlite');
  await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/support/by-channel.config.ts' } });
  stage.world.faults.set('conversations.members', { type: 'platform', error: 'channel_not_found' });

  await stage.world.command(ANN, OPS, '/trust', 'restart_service channel 1h');
  await whisper(stage, ANN, /I do not find you in this channel. If I am not in it, invite me/);
});

async function judgedOf(on: Stage, root: SlackMessage) {
  const { runs } = await historyOf(on, root);
  return runs.flatMap(({ entries }) => entries.filter(({ type }) => type === 'call-judged'));
}
