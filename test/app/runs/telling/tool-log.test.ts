import { expect, it } from 'vitest';
import type { Log } from '../../../../app/log.ts';
import { createToolLog } from '../../../../app/runs/telling/tool-log.ts';
import { createRedaction } from '../../../../app/secrets/redaction.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess, OPEN, tool } from '../../../support/in-process/index.ts';
import { runId } from '../../../support/journal.ts';

const about = {
  call: '1/a',
  tool: { name: 'restart', inputSchema: {} },
  input: { token: 'hunter2-hunter2' },
};

function kept() {
  const lines: object[] = [];
  const keep = (level: string) => (message: string, fields?: object) => void lines.push({ level, message, ...fields });
  const log: Log = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
  const redaction = createRedaction({ settings: { keys: ['token'], patterns: [] }, key: new Uint8Array(32) });
  return { lines, toolLog: createToolLog({ log, redaction }, runId()) };
}

it('logs once that a tool could not summarise its call, and runs the call', async () => {
  const summarise = () => {
    throw new Error('no sentence');
  };
  const bot = await inProcess({ tools: [tool('look', { ...OPEN, summarise })] });
  bot.model.says(call('look'));

  await bot.mention(ANN, 'look');

  expect(bot.ran()).toHaveLength(1);
  expect(bot.logged.filter((line) => line.includes('A tool failed.'))).toHaveLength(1);
});

it('logs which call of which run failed, in which part and why, without the secrets of its input', () => {
  const { lines, toolLog } = kept();

  toolLog.failed(about)('preview', 'no hunter2-hunter2 here');

  const [line] = lines;
  const which = { run: runId(), call: '1/a', tool: 'restart' };
  expect(line).toMatchObject({ level: 'warn', message: 'A tool failed.', ...which, part: 'preview' });
  expect(line).toMatchObject({ cause: expect.stringMatching(/^no .+ here$/) });
  expect(JSON.stringify(line)).not.toContain('hunter2');
});

it('logs each failure of a tool once for each call, and leaves out the summary, which is drawn many times', () => {
  const { lines, toolLog } = kept();

  for (const part of ['summarise', 'summarise', 'preview', 'preview'] as const) toolLog.failed(about)(part, 'no');
  toolLog.failed({ ...about, call: '1/b' })('summarise', new Error('no'));

  expect(lines).toMatchObject([
    { call: '1/a', part: 'summarise' },
    { call: '1/a', part: 'preview' },
    { call: '1/a', part: 'preview' },
    { call: '1/b', part: 'summarise', cause: expect.stringContaining('Error: no') },
  ]);
});

it('logs what a tool says, up to 4 KB (EDGE-7)', () => {
  const { lines, toolLog } = kept();

  toolLog.said(about, 'x'.repeat(4_097));

  const said = expect.stringMatching(/^x{4056} … \(41 more characters\)$/);
  expect(lines).toMatchObject([{ level: 'info', message: 'A tool logs a line.', said }]);
});
