import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Conversation } from '../../sandbox/model/conversations.ts';
import { draws, says } from '../support/bot.ts';
import { dyingWalk, type Walk } from '../support/dying-walk.ts';
import { LINES } from '../support/kill-rows.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

describe.concurrent('a bot that dies while the thread is told of a call on trust', { timeout: 180_000 }, () => {
  it('P53 FK22 after the start of the only such call: it has its line', async () => {
    const { lines } = await walk('call-started:2', ['payments', 'search']);
    expect(lines.map((line) => says(line, /without asking\. Restart/))).toEqual([true]);
  });

  it.each(['call-started:3', ...LINES] as const)('P53 FK22 after %s: one line counts both calls', async (at) => {
    const { lines } = await walk(at, ['payments', 'search', 'mail']);
    expect(lines.map((line) => says(line, 'without asking: 2 calls in this run'))).toEqual([true]);
  });
});

describe.concurrent('a bot that dies like that while another replica is there', { timeout: 180_000 }, () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedisServer();
  });
  afterAll(() => redis.remove());

  it.each([
    ['call-started:3', 1],
    ['line-sent', 2],
    ['line-changed', 3],
  ] as const)('P53 FK22 after %s: one line counts both calls', async (at, database) => {
    const { lines } = await walk(at, ['payments', 'search', 'mail'], { redisUrl: `${redis.url}/${database}` });
    expect(lines.map((line) => says(line, 'without asking: 2 calls in this run'))).toEqual([true]);
  });
});

/** The first call is asked about and trusted; the others run on that trust, one after the other. */
async function walk(dieAt: string, services: readonly string[], place: Pick<Walk, 'redisUrl'> = {}) {
  const conversation: Conversation = {
    example: 'restart one by one',
    begins: (said) => /\brestart one by one\b/.test(said),
    play: ({ results }) => {
      const service = services[results.length];
      return service === undefined
        ? 'They were restarted, one by one.'
        : { content: [{ type: 'tool_use', name: 'restart_service', input: { service } }] };
    },
  };
  const { history } = await dyingWalk({
    ...place,
    dieAt: [dieAt],
    text: 'restart one by one',
    verdict: 'trust',
    sandbox: { conversations: [conversation] },
    ends: /They were restarted/,
  });
  expect(history.runs).toHaveLength(1);
  return { lines: history.messages.filter((message) => draws(message, 'trust_end_line')) };
}
