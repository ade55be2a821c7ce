import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ANN, BOT, directChannel } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { aWhile, mention, reply, type Stage } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { type Patched, patchedSources, SOON_REMOVED } from '../support/patched.ts';

let stage: Stage;
let sources: Patched;
beforeAll(() => {
  sources = patchedSources([SOON_REMOVED]);
});
afterAll(() => sources.remove());
afterEach(() => stage?.close());

const RETAINING = { http: true, env: { COUNTERSIGN_CONFIG: 'test/support/retaining.config.ts' } };

async function start(engine: (typeof ENGINES)[number]): Promise<void> {
  stage = await stageOn(engine, { sources: sources.folder });
  await stage.startBot(RETAINING);
}

/** Everything that was said of a thread, in order, without repetitions. */
const told = ({ ts }: SlackMessage) =>
  stage.world.requests
    .filter(({ method, arguments: sent }) => method === 'agents.sessions.setStatus' && sent.thread_ts === ts)
    .map(({ arguments: sent }) => String(sent.status))
    .filter((one, at, all) => one !== all[at - 1]);
const closed = (root: SlackMessage) =>
  stage.world.until(() => stage.world.session(root).status === 'closed', { what: 'the thread is closed' });

describe.each(ENGINES)('a conversation whose runs were all removed, on %s', (engine) => {
  it('is closed, and a new message opens it again', async () => {
    await start(engine);
    const root = await stage.world.say(ANN, directChannel(ANN), 'hello');
    await reply(stage, root, 'Hello!');
    await closed(root);
    expect(told(root)).toEqual(['processing', 'active', 'closed']);

    await stage.world.say(ANN, root.channel, 'status', { thread: root });
    await reply(stage, root, 'This is what I see');
    await closed(root);

    expect(told(root)).toEqual(['processing', 'active', 'closed', 'processing', 'active', 'closed']);
    expect(JSON.stringify(stage.sandbox.model.requests.at(-1)?.body)).not.toContain('hello');
  });

  it('is answered in a channel only when the message mentions the app', async () => {
    await start(engine);
    const root = await mention(stage, ANN, 'hello');
    await closed(root);
    const before = stage.sandbox.model.requests.length;

    await stage.world.say(ANN, root.channel, 'status', { thread: root });
    await aWhile();
    expect(stage.sandbox.model.requests).toHaveLength(before);
    await stage.world.say(ANN, root.channel, `<@${BOT}> status`, { thread: root });

    await reply(stage, root, 'This is what I see');
  });
});
