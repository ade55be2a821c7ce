import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BOT, directChannel } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { cardIn, mention, reply, type Stage } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

const ONCE_TRIES = { env: { COUNTERSIGN_CONFIG: 'test/support/impatient.config.ts' } };
const status = (root: SlackMessage) => stage.world.session(root).status;
const active = (root: SlackMessage) =>
  stage.world.until(() => status(root) === 'active', { what: 'the thread to be idle' });

/** Everything that the bot said of this thread, in order, without repetitions. */
const told = () =>
  stage.world.requests
    .filter(({ method }) => method === 'agents.sessions.setStatus')
    .map(({ arguments: sent }) => String(sent.status))
    .filter((one, at, all) => one !== all[at - 1]);

describe('the status of a thread', () => {
  it('says that the agent works, that a person is needed, and in the end that the work is over (P29)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await stage.world.until(() => status(root) === 'suspended');

    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'Done.');
    await active(root);

    expect(told()).toEqual(['processing', 'suspended', 'processing', 'active']);
    expect(stage.world.session(root).title).toBe('restart the payments service');
  });

  it('is cleared when the request is denied (P29)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');

    await stage.world.press(ANN, await cardIn(stage, root), 'approval_deny');

    await active(root);
  });

  it('is cleared when the run is stopped while a person is needed (P29)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    await cardIn(stage, root);
    await stage.world.until(() => status(root) === 'suspended');

    await stage.world.say(ANN, root.channel, `<@${BOT}> stop`, { thread: root });

    await active(root);
  });

  it('is cleared when the model fails (P29)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot(ONCE_TRIES);
    stage.sandbox.model.faults.set('messages', { type: 'status', status: 500 });

    const root = await mention(stage, ANN, 'hello');
    await reply(stage, root, 'I could not get an answer from the model');

    await active(root);
  });
});

describe('a direct message', () => {
  it('is answered in a thread of its own, with a title, a status and a streamed reply', async () => {
    stage = await stageOn('sqlite', { sandbox: { pieceDelayMs: 60 } });
    await stage.startBot();
    stage.sandbox.model.next('word '.repeat(160).trim());

    const root = await stage.world.say(ANN, directChannel(ANN), 'tell me *a lot*');
    await active(root);

    const answers = stage.world.messages(root).filter(({ user }) => user === BOT);
    expect(answers.map(({ threadTs, stream }) => [threadTs, stream?.open])).toEqual([[root.ts, false]]);
    expect(stage.world.session(root).title).toBe('tell me a lot');
  });
});
