import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ANN, BOT, OPS } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

/** A thread with the agent in #ops, in this state. */
async function begin(words: string, status: 'suspended' | 'active') {
  const root = await sandbox.world.say(ANN, OPS, words);
  await sandbox.world.say(BOT, OPS, 'I heard you.', { thread: root });
  const client = new WebClient(sandbox.botToken, { slackApiUrl: sandbox.slackApiUrl });
  await client.agents.sessions.setStatus({ channel_id: OPS, thread_ts: root.ts, status });
}

/** What the side lists, as it is written there. */
async function listed(channel: string): Promise<readonly string[]> {
  const html = await (await fetch(`${sandbox.url}/page/app?channel=${channel}`)).text();
  return [...html.matchAll(/<a[^>]*thread-entry[^>]*>(.*?)<\/a>/g)].map(([, inside = '']) =>
    inside.replaceAll(/<[^>]*>/g, '|').replaceAll(/\|+/g, '|'),
  );
}

it('threads that wait stand first and are all listed, also of a channel that is not open (DEMO-5)', async () => {
  for (let number = 1; number <= 10; number += 1) await begin(`waits ${number}`, 'suspended');
  for (let number = 1; number <= 10; number += 1) await begin(`done ${number}`, 'active');

  const waiting = Array.from({ length: 10 }, (_, index) => `|waits ${10 - index}|`);
  expect(await listed(OPS)).toEqual([...waiting, '|done 10|', '|done 9|']);
  expect(await listed('C0GENERAL1')).toEqual(waiting);
});

it('threads of the same name say their time and state (DEMO-5)', async () => {
  await begin('restart', 'suspended');
  await begin('restart', 'active');
  await begin('another', 'active');

  const [first = '', second = '', third] = await listed(OPS);
  expect(first).toMatch(/^\|restart\|\d+:\d\d [AP]M(, \d+ s)? · waits\|$/);
  expect(third).toMatch(/^\|restart\|\d+:\d\d [AP]M(, \d+ s)? · done\|$/);
  expect(second).toBe('|another|');
});

it('messages are sorted once after a change, however often the page reads them (DEMO-5)', async () => {
  const { world } = sandbox;
  const root = await world.say(ANN, OPS, 'first');
  const [channel, thread] = [world.channel(OPS), world.messages(root)];
  expect(world.channel(OPS)).toBe(channel);
  expect(world.messages(root)).toBe(thread);

  await world.say(ANN, OPS, 'second', { thread: root });
  expect(world.messages(root).map(({ text }) => text)).toEqual(['first', 'second']);
});
