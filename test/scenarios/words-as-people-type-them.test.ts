import { afterEach, expect, it } from 'vitest';
import { ANN, BOT } from '../../sandbox/people.ts';
import { cardIn, mention, openCards, reply, type Stage, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

it.each([
  ['as the bot writes it', `<@${BOT}> \`stop\``],
  ['in bold', `<@${BOT}> *Stop!*`],
  ['in quotation marks', `<@${BOT}> “stop”`],
  ['with a sign that cannot be seen', `<@${BOT}> \u200fstop`],
  ['in front of the mention', `stop <@${BOT}>`],
  ['with a comma in front of the mention', `Stop, <@${BOT}>`],
])('the word “stop” ends a run when it is typed %s (T17)', async (_how, words) => {
  stage = await stageOn('sqlite');
  await stage.startBot({ http: true });
  const root = await mention(stage, ANN, 'restart the payments service');
  await cardIn(stage, root);
  await stage.world.say(ANN, root.channel, words, { thread: root });

  await reply(stage, root, 'Stopped by', { withinMs: 20_000 });
  await stage.world.until(() => openCards(stage, root).length === 0);
  expect(witnessed(stage, 'begun')).toEqual([]);
});

it('the name of a tool may be typed as a card shows it, to trust it and to end that (T11)', async () => {
  stage = await stageOn('sqlite');
  await stage.startBot({ http: true });
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_deny');
  await reply(stage, root, 'alone');

  await stage.world.say(ANN, root.channel, `<@${BOT}> trust \`restart_service\``, { thread: root });
  await reply(stage, root, 'Trusted: ', { withinMs: 20_000 });
  await stage.world.say(ANN, root.channel, `<@${BOT}> untrust \`restart_service\``, { thread: root });
  await reply(stage, root, 'Trust ended for', { withinMs: 20_000 });
});
