import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkConfig } from '../../../app/config/check.ts';
import { runTool, toolTable } from '../../../app/tools/index.ts';
import example from '../../../example/countersign.config.ts';

const table = toolTable(checkConfig(example, { now: () => 0 }).tools);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-example-'));
  vi.stubEnv('DATA_DIR', folder);
  vi.stubEnv('EXAMPLE_TOOL_MS', '1');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const run = (name: string, input: { readonly [key: string]: string }, signal = new AbortController().signal) => {
  const tool = table.find(name);
  if (tool === undefined) throw new Error(`The example has no ${name}.`);
  return runTool(tool, input, { signal, key: `key of ${name}` });
};
const actions = () =>
  readFileSync(join(folder, 'actions.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the example', () => {
  it('restarts a service and leaves two witnesses', async () => {
    expect(await run('restart_service', { service: 'payments' })).toMatchObject({ type: 'succeeded' });

    expect(await run('service_status', { service: 'payments' })).toMatchObject({
      output: expect.stringContaining('"restarts": 1'),
    });
    expect(actions()).toMatchObject([
      { step: 'begun', tool: 'restart_service', key: 'key of restart_service', input: { service: 'payments' } },
      { step: 'done', tool: 'restart_service', key: 'key of restart_service', input: { service: 'payments' } },
    ]);
  });

  it('loses nothing when calls run at the same time', async () => {
    const services = ['payments', 'search', 'billing', 'payments', 'payments'];

    await Promise.all(services.map((service) => run('restart_service', { service })));

    const { services: after } = JSON.parse(readFileSync(join(folder, 'services.json'), 'utf8'));
    expect([after.payments.restarts, after.search.restarts, after.billing.restarts]).toEqual([3, 1, 1]);
  });

  it.each([
    ['x', '1 character'],
    ['all of it', '9 characters'],
  ])('says on the card of a report how long its text is: %j', (query, long) => {
    expect(table.find('run_report')?.summarise({ query })).toBe(`Make a report from ${long} of free text.`);
  });

  it('drops a database that exists, once', async () => {
    expect(await run('drop_database', { database: 'payments_old' })).toMatchObject({ type: 'succeeded' });
    expect(await run('drop_database', { database: 'payments_old' })).toEqual({
      type: 'failed',
      output: 'drop_database failed: There is no database payments_old.',
    });
    expect(actions().map(({ step }) => step)).toEqual(['begun', 'done', 'begun']);
  });

  it('accepts a report of any text without repeating it', async () => {
    const text = '<!channel> `rm -rf` '.repeat(5_000);

    expect(await run('run_report', { query: text })).toMatchObject({
      output: expect.not.stringContaining('<!channel>'),
    });
  });

  it('does nothing more when it is stopped', async () => {
    vi.stubEnv('EXAMPLE_TOOL_MS', '60000');
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 5);

    expect(await run('restart_service', { service: 'search' }, stop.signal)).toMatchObject({ type: 'failed' });

    expect(actions().map(({ step }) => step)).toEqual(['begun']);
  });
});
