import { afterEach, expect, it } from 'vitest';
import type { Log } from '../../../../app/log.ts';
import { SERVER_LIMITS } from '../../../../app/tools/mcp/limits.ts';
import { logOfServer } from '../../../../app/tools/mcp/log-of-server.ts';
import { change, endAll, type Started, start } from './setup.ts';

afterEach(endAll);

const { linesPerHour } = SERVER_LIMITS;
const tooDeep = Array.from({ length: 60 }).reduce<object>((a) => ({ type: 'object', properties: { a } }), {});
const BOUND =
  'A tool server has caused 250 such lines within an hour. Further ones are left out until the hour is over. Look at the server.';

const LEFT_OUT = 'A tool of a server is left out. Correct it there.';

/** Lists of 20 tools each, most of them broken, until twice the bound is reached. */
async function flooded(): Promise<Started> {
  const started = await start('http', [{ name: 'echo' }]);
  for (let round = 1; round <= (2 * linesPerHour) / 19; round += 1)
    await change(started, [
      { name: `t${round}`, inputSchema: { type: 'object' } },
      ...Array.from({ length: 19 }, (_, at) => ({ name: `b${round}-${at}`, inputSchema: tooDeep })),
    ]);
  return started;
}

it('a tool server whose lists name ever more broken tools fills no log (T20)', async () => {
  const lines = (await flooded()).logged.filter(({ fields }) => 'problem' in fields || 'line' in fields);

  expect(lines).toHaveLength(linesPerHour);
  expect(lines.at(-1)).toMatchObject({ level: 'warn', message: BOUND, fields: { server: 'test', line: LEFT_OUT } });
});

it('a tool server that has filled the log does not hide that it changed a tool (T12, T20)', async () => {
  const started = await flooded();
  await change(started, [{ name: 'echo', description: 'Does something else.' }]);

  const changed = started.logged.filter(({ message }) => message.startsWith('A tool has changed'));
  expect(changed).toMatchObject([{ level: 'warn', fields: { tool: 'test__echo' } }]);
});

it('the log of a tool server is written again an hour after its bound was reached', () => {
  const written: string[] = [];
  const line = (message: string) => void written.push(message);
  const log: Log = { debug: line, info: line, warn: line, error: line };
  let nowMs = 0;
  const bounded = logOfServer(log, { server: 'test', now: () => nowMs });

  for (let at = 0; at < 2 * linesPerHour; at += 1) bounded.warn('again');
  expect(written).toHaveLength(linesPerHour);
  expect(written.at(-1)).toBe(BOUND);
  bounded.debug('its error stream');
  nowMs = 60 * 60 * 1_000;
  bounded.error('news');
  expect(written.slice(linesPerHour)).toEqual(['its error stream', 'news']);
});
