import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { aWhile, cardIn, mention, reply, type Stage, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { freePort } from '../support/servers.ts';

/** What a bot does with deliveries that arrive while it stops. */

let stage: Stage;
const agent = new Agent({ keepAlive: true });
afterEach(async () => {
  agent.destroy();
  await stage?.close();
});

const CONFIG = { COUNTERSIGN_CONFIG: 'test/scenarios/last-deliveries.config.ts' };

interface Readiness {
  readonly statusCode: number | undefined;
  readonly connection: string | undefined;
  readonly socket: Socket;
}

/** Over a kept-alive connection, or over a new one. */
const readiness = (port: number, by: Agent | false = agent): Promise<Readiness> =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/readyz', agent: by }, (answer) => {
      const { statusCode, headers, socket } = answer;
      answer.resume();
      answer.once('end', () => resolve({ statusCode, connection: headers.connection, socket }));
    }).once('error', reject);
  });

it.each(['sqlite', 'redis'] as const)(
  'a press and a message that arrive over HTTP while the bot stops are stored, and the next process acts on them (%s) (EDGE-3)',
  async (engine) => {
    stage = await stageOn(engine);
    const bot = await stage.startBot({ http: true, env: CONFIG });
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    const stopped = bot.stop();
    await expect.poll(() => readiness(bot.port ?? 0)).toMatchObject({ statusCode: 503 });
    const pressed = await stage.world.press(ANN, card, 'approval_approve');
    expect(pressed.acknowledgement.type).toBe('acknowledged');
    const other = await mention(stage, ANN, 'what is the status?');
    expect(await stopped).toBe(0);
    expect(witnessed(stage, 'begun')).toEqual([]);

    await stage.startBot({ http: true, env: CONFIG });
    await reply(stage, root, 'Done.');
    await reply(stage, other, /payments/);
    expect(witnessed(stage)).toHaveLength(1);
  },
);

it.each(['HTTP', 'Socket Mode'])(
  'a kept-alive connection ends at once when a bot with %s stops, its last answers end theirs, and Node warns of nothing (EDGE-3)',
  async (by) => {
    stage = await stageOn('sqlite');
    const port = await freePort();
    const bot = await stage.startBot(
      by === 'HTTP' ? { http: true, env: CONFIG } : { env: { ...CONFIG, PORT: `${port}` } },
    );
    const before = await readiness(bot.port ?? port);
    expect(before.connection).toBe('keep-alive');
    const ended = once(before.socket, 'close').then(() => bot.isAlive());
    // Keeps a bot with Socket Mode from being gone before it is looked at.
    stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 2_000 });
    await mention(stage, ANN, 'what is the status?');
    await stage.world.until(() => stage.sandbox.model.requests.length > 0, { what: 'a request to the model' });

    const stopped = bot.stop();
    if (bot.port !== undefined) {
      await expect.poll(() => readiness(bot.port ?? 0, false)).toMatchObject({ statusCode: 503 });
      await aWhile();
      // Node itself ends a connection that is idle for five seconds.
      const last = await readiness(bot.port);
      expect(last.socket).not.toBe(before.socket);
      expect(last.connection).toBe('close');
    }
    expect(await ended).toBe(true);
    expect(await stopped).toBe(0);
    expect(bot.log()).not.toMatch(/Warning/);
  },
);
