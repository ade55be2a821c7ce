import { beforeEach, expect, it } from 'vitest';
import type { RunningCall } from '../../../../../app/tools/mcp/call/running.ts';
import { createSharing, type Sharing } from '../../../../../app/tools/mcp/call/sharing.ts';

/** Calls on one connection to a tool server, and to which of them a question of the server belongs. */
let sharing: Sharing;
beforeEach(() => {
  sharing = createSharing();
});

interface Sent {
  readonly call: RunningCall;
  readonly ends: () => Promise<unknown>;
  readonly fails: () => Promise<unknown>;
  readonly stops: () => Promise<unknown>;
}

function send(): Sent {
  const stopping = new AbortController();
  const call: RunningCall = {
    signal: stopping.signal,
    ask: async () => ({ action: 'cancel' }),
    end: () => {},
  };
  let settle = (_isAnswered: boolean) => {};
  const answer = new Promise<void>((resolve, reject) => {
    settle = (isAnswered) => (isAnswered ? resolve() : reject(new Error('stopped')));
  });
  const ran = sharing.run(call, () => answer).catch(() => {});
  const end = (isAnswered: boolean) => {
    settle(isAnswered);
    return ran;
  };
  const stops = () => {
    stopping.abort();
    return end(false);
  };
  return { call, ends: () => end(true), fails: () => end(false), stops };
}

const asker = (signal = new AbortController().signal) => sharing.asker(signal);

it('a question belongs to the only call that runs', async () => {
  const { call, ends } = send();
  expect(await asker()).toBe(call);
  await ends();
  expect(await asker()).toBeUndefined();
});

it('a question while several calls run waits until one of them is left', async () => {
  const [asks, second, third] = [send(), send(), send()];
  const found = asker();
  await second.ends();
  expect(await Promise.race([found, 'waits'])).toBe('waits');
  await third.ends();
  expect(await found).toBe(asks.call);
});

it('a question that waits belongs to no call once a call was stopped, because that one may have asked', async () => {
  const [stopped] = [send(), send()];
  const found = asker();
  await stopped.stops();
  expect(await found).toBeUndefined();
});

it('a call that the server ended with an error did not ask, so the question belongs to the one that is left', async () => {
  const [failed, asks] = [send(), send()];
  const found = asker();
  await failed.fails();
  expect(await found).toBe(asks.call);
});

it('where each of several calls has asked, the last to ask gets no answer, and so the first is known', async () => {
  const [first, last] = [send(), send()];
  const found = asker();
  expect(await asker()).toBeUndefined();
  await last.ends();
  expect(await found).toBe(first.call);
});

it('a question that its server takes back waits no longer', async () => {
  const [first, second] = [send(), send()];
  const takenBack = new AbortController();
  const found = asker(takenBack.signal);
  takenBack.abort();
  expect(await found).toBeUndefined();
  const another = asker();
  await second.ends();
  expect(await another).toBe(first.call);
});

it('a server that has asked gets one call at a time on a connection, and any other server several', async () => {
  const { ends } = send();
  expect(sharing.isFree()).toBe(true);
  await asker();
  expect(sharing.isFree()).toBe(false);
  await ends();
  expect(sharing.isFree()).toBe(true);
});
