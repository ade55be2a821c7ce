import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BOT, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage, View } from '../../sandbox/records.ts';
import {
  aWhile,
  cardIn,
  cards,
  doubtIn,
  draws,
  mention,
  openDoubts,
  reply,
  type Stage,
  says,
  whisper,
  witnessed,
} from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** A bot was killed in the middle of the tool that a person had approved; the next one is there. */
async function lost(engine: (typeof ENGINES)[number], env: Readonly<Record<string, string>> = {}) {
  stage = await stageOn(engine);
  const first = await stage.startBot({ env: { EXAMPLE_TOOL_MS: '60000' } });
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
  await stage.world.until(() => witnessed(stage, 'begun').length === 1);
  await first.kill();
  const bot = await stage.startBot({ env });
  return { root, bot };
}

const form = (user: string): Promise<View> =>
  stage.world.until(() => stage.world.views(user).find(({ content }) => content.submit !== undefined));
const heard = () => JSON.stringify(stage.sandbox.model.requests.at(-1));
const shown = (card: SlackMessage) => stage.world.message(card) ?? card;

describe.each(ENGINES)('a call with a lost end (%s)', (engine) => {
  it('goes on with the report of the person who says that it happened (FK18)', async () => {
    const { root } = await lost(engine);
    const card = await doubtIn(stage, root);
    expect(says(card, /I do not know whether it finished/)).toBe(true);

    await stage.world.press(ANN, card, 'doubt_happened');
    await stage.world.submit(ANN, await form(ANN), { said: 'Three "pods" are up.' });
    await reply(stage, root, 'Done.');

    expect(heard()).toContain('A person says that it happened');
    expect(heard()).toContain('Three \\\\\\"pods\\\\\\" are up.');
    expect(witnessed(stage, 'begun')).toHaveLength(1);
    await stage.world.until(() => says(shown(card), 'Three \\"pods\\" are up.') && !draws(shown(card), 'doubt_skip'));
  });

  it('is left alone: the model hears not to repeat it, and a second press changes nothing (FK18)', async () => {
    const { root } = await lost(engine);
    const card = await doubtIn(stage, root);

    await Promise.all([stage.world.press(ANN, card, 'doubt_skip'), stage.world.press(ANN, card, 'doubt_retry')]);
    await reply(stage, root, /Understood|Done/);
    await whisper(stage, ANN, /Your press changed nothing/);
    await aWhile();

    const repeated = witnessed(stage, 'begun').length - 1 + (cards(stage, root).length - 1);
    const left = heard().includes('A person chose not to repeat it');
    expect(repeated === 0 ? left : true).toBe(true);
    await stage.world.until(() => !draws(shown(card), 'doubt_retry'));
  });
});

describe('a call with a lost end', () => {
  it('is tried again as a new call with a new approval, and runs once (D1, D2)', async () => {
    const { root } = await lost('sqlite');
    await stage.world.press(ANN, await doubtIn(stage, root), 'doubt_retry');

    const again = await cardIn(stage, root);
    await aWhile();
    expect(witnessed(stage, 'begun')).toHaveLength(1);
    await stage.world.press(ANN, again, 'approval_approve');
    await reply(stage, root, 'Done.');

    expect(heard()).toContain('The first was interrupted, and it is not known');
    const [first, second] = witnessed(stage, 'begun').map(({ key }) => key);
    expect(second).toBe(`${first}~2`);
    expect(cards(stage, root)).toHaveLength(2);
  });

  it('can be denied at the second try: the model gets a person’s no, and it did not run twice (D2)', async () => {
    const { root } = await lost('sqlite');
    await stage.world.press(ANN, await doubtIn(stage, root), 'doubt_retry');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_deny');
    await reply(stage, root, 'Understood');

    expect(witnessed(stage, 'begun')).toHaveLength(1);
    expect(heard()).toContain('A person refused this tool call');
    expect(heard()).toContain('The first was interrupted, and it is not known whether it had its effect');
  });

  it('is reported only by people who may decide, and any other person gets a private refusal (P34)', async () => {
    const { root } = await lost('sqlite');
    const card = await doubtIn(stage, root);
    const said = stage.world.messages(root).length;

    await stage.world.press(ZOE, card, 'doubt_skip');
    await whisper(stage, ZOE, /Nothing changed/);
    await stage.world.press(ZOE, card, 'doubt_happened');
    await stage.world.until(() =>
      stage.world.views(ZOE).some(({ content }) => /Nothing changed/.test(JSON.stringify(content))),
    );

    expect(stage.world.messages(root)).toHaveLength(said);
    expect(draws(shown(card), 'doubt_skip')).toBe(true);
  });

  it('keeps its card through another crash, and is in /approvals (P2)', async () => {
    const { root, bot } = await lost('sqlite');
    const card = await doubtIn(stage, root);
    await bot.kill();
    await stage.startBot();

    await stage.world.command(ANN, root.channel, '/approvals');
    await whisper(stage, ANN, /Waiting for you/);
    await stage.world.press(ANN, card, 'doubt_skip');
    await reply(stage, root, 'Understood');

    const doubts = stage.world.messages(root).filter(({ metadata }) => /doubt:/.test(JSON.stringify(metadata ?? {})));
    expect(doubts).toHaveLength(1);
    expect(witnessed(stage, 'begun')).toHaveLength(1);
  });

  it('is shown once more when its card is deleted, and the new buttons work (B9)', async () => {
    const { root } = await lost('redis');
    await stage.startBot();
    const card = await doubtIn(stage, root);
    await stage.world.remove(card);
    const again = await stage.world.until(() => openDoubts(stage, root).find(({ ts }) => ts !== card.ts));
    await aWhile();

    expect(openDoubts(stage, root)).toHaveLength(1);
    await stage.world.press(ANN, again, 'doubt_skip');
    await reply(stage, root, 'Understood');
    await stage.world.until(() => openDoubts(stage, root).length === 0);
    expect(witnessed(stage, 'begun')).toHaveLength(1);
  });

  it('loses its buttons when the run is stopped (P21)', async () => {
    const { root } = await lost('sqlite');
    const card = await doubtIn(stage, root);

    await stage.world.say(ANN, root.channel, `<@${BOT}> stop`, { thread: root });
    await stage.world.until(() => says(shown(card), 'The run ended before I was told'));

    expect(draws(shown(card), 'doubt_skip')).toBe(false);
    // The next requester is not told that it never ran.
    await stage.world.say(ANN, root.channel, 'hello', { thread: root });
    await reply(stage, root, 'Hello!');
    expect(heard()).toContain('It is not known whether it finished');
  });

  it('expires: the model hears that the outcome is unknown, and the run goes on (P60, P61b)', async () => {
    const { root } = await lost('sqlite', { COUNTERSIGN_CONFIG: 'test/support/hasty.config.ts' });
    const card = await doubtIn(stage, root);
    await reply(stage, root, 'Understood');

    expect(heard()).toContain('It is not known whether it finished');
    await stage.world.until(() => says(shown(card), 'Nobody told me in time'));
    expect(draws(shown(card), 'doubt_skip')).toBe(false);
  });
});
