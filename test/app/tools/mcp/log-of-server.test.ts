import { afterEach, expect, it } from 'vitest';
import type { Log } from '../../../../app/log.ts';
import { SERVER_LIMITS } from '../../../../app/tools/mcp/limits.ts';
import { logOfServer } from '../../../../app/tools/mcp/log-of-server.ts';
import { change, endAll, start } from './setup.ts';

afterEach(endAll);

const { linesPerHour } = SERVER_LIMITS;
const tooDeep = Array.from({ length: 60 }).reduce<object>((a) => ({ type: 'object', properties: { a } }), {});
const BOUND =
  'A tool server has caused 500 lines within an hour. Further ones are left out until the hour is over. Look at the server.';

it('a tool server whose lists name ever more broken tools fills no log (T20)', async () => {
  const started = await start('http', [{ name: 'echo' }]);
  for (let round = 1; round <= linesPerHour / 18; round += 1)
    await change(started, [
      { name: `t${round}`, inputSchema: { type: 'object' } },
      ...Array.from({ length: 19 }, (_, at) => ({ name: `b${round}-${at}`, inputSchema: tooDeep })),
    ]);

  const lines = started.logged.filter(({ level }) => level !== 'debug');
  expect(lines).toHaveLength(linesPerHour);
  expect(lines.at(-1)).toMatchObject({ level: 'warn', message: BOUND, fields: { server: 'test' } });
});

it('the log of a tool server is written again an hour after its bound was reached', () => {
  const written: string[] = [];
  const line = (message: string) => void written.push(message);
  const log: Log = { debug: line, info: line, warn: line, error: line };
  let nowMs = 0;
  const bounded = logOfServer(log, { server: 'test', now: () => nowMs });

  for (let at = 0; at < 2 * linesPerHour; at += 1) bounded.warn(`${at}`);
  expect(written).toHaveLength(linesPerHour);
  expect(written.at(-1)).toBe(BOUND);
  bounded.debug('its error stream');
  nowMs = 60 * 60 * 1_000;
  bounded.error('news');
  expect(written.slice(linesPerHour)).toEqual(['its error stream', 'news']);
});
