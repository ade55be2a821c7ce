import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { defineTool, look, seePrecondition, type Tool } from '../../../app/tools/index.ts';
import { readWorld } from '../../../example/services.ts';
import { dropDatabase } from '../../../example/tools/drop-database.ts';
import { restartService } from '../../../example/tools/restart-service.ts';
import { folderOfTest } from '../../support/folder.ts';

const signal = new AbortController().signal;
const tool = (parts: Partial<Parameters<typeof defineTool>[0]>): Tool =>
  defineTool({ name: 'pay', description: 'Pays.', input: z.object({ to: z.string() }), run: () => 'paid', ...parts });

describe('a preview or a precondition before an approval', () => {
  it('gets nothing but the input and a signal: no key, no thread, no person to act for (T4)', async () => {
    const handed: unknown[] = [];
    const see = (input: unknown, help: object) => {
      handed.push(input, Object.keys(help));
      return 'seen';
    };

    await look(tool({ preview: see, precondition: see }), { to: 'Ann' }, signal);

    expect(handed).toEqual([{ to: 'Ann' }, ['signal'], { to: 'Ann' }, ['signal']]);
  });

  it('leaves the world of the example unchanged (T4)', async () => {
    const before = JSON.stringify(readWorld());

    const looked = [
      await look(restartService, { service: 'payments' }, signal),
      await look(dropDatabase, { database: 'payments_old' }, signal),
    ];

    expect(looked).toMatchObject([
      { preview: expect.any(String) },
      { precondition: { text: 'payments_old is there.' } },
    ]);
    expect(JSON.stringify(readWorld())).toBe(before);
  });

  it('says of a restart in the example what is true after it (DEMO-1)', async () => {
    vi.stubEnv('DATA_DIR', folderOfTest('restart'));
    vi.stubEnv('EXAMPLE_TOOL_MS', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const restart = async (service: 'payments' | 'search') => {
      const looked = await look(restartService, { service }, signal);
      await restartService.run({ service }, { key: 'k', signal } as Parameters<typeof restartService.run>[1]);
      return [looked, readWorld().services[service]];
    };
    const after = { status: 'running', restarts: 1 };

    expect(await restart('payments')).toMatchObject([{ preview: 'degraded → running' }, after]);
    expect(await restart('search')).toMatchObject([{ preview: 'running → restarted' }, after]);
  });

  it('gives the same digest in any order of keys, and another digest for another world', async () => {
    const seen = async (world: { readonly [name: string]: number }) => {
      const result = await seePrecondition(tool({ precondition: () => world }), { to: 'Ann' }, signal);
      return result?.type === 'seen' ? result.precondition.digest : undefined;
    };

    expect(await seen({ a: 1, b: 2 })).toBe(await seen({ b: 2, a: 1 }));
    expect(await seen({ a: 1, b: 2 })).not.toBe(await seen({ a: 1, b: 3 }));
  });

  it('covers the whole of a long world in its digest, and keeps only its beginning', async () => {
    const seen = async (end: string) =>
      seePrecondition(tool({ precondition: () => `${'x'.repeat(5_000)}${end}` }), { to: 'Ann' }, signal);
    const [one, other] = [await seen('a'), await seen('b')];

    expect(one).toMatchObject({ type: 'seen' });
    expect(one).not.toEqual(other);
    expect(JSON.stringify(one).length).toBeLessThan(1_500);
  });

  it('stops the question when the precondition cannot be checked (T1)', async () => {
    const broken = tool({
      precondition: () => {
        throw new Error('no connection');
      },
    });

    expect(await look(broken, { to: 'Ann' }, signal)).toEqual({
      type: 'blind',
      problem: 'pay could not find out how things stand (no connection), so it did not run.',
    });
  });

  it('says so when a preview is missing', async () => {
    const broken = tool({ preview: () => Promise.reject(new Error('no')) });

    expect(await look(broken, { to: 'Ann' }, signal)).toEqual({
      type: 'looked',
      preview: 'There is no preview: the tool could not make one.',
    });
  });

  it('is not waited for when it never comes back', async () => {
    const stop = new AbortController();
    const waiting = look(tool({ precondition: () => new Promise<string>(() => {}) }), { to: 'Ann' }, stop.signal);
    stop.abort();

    expect(await waiting).toMatchObject({ type: 'blind', problem: expect.stringContaining('it was stopped') });
  });
});
