import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../app/tools/define-tool.ts';
import { runTool } from '../../../app/tools/run-tool.ts';
import type { ToolRunHelp } from '../../../app/tools/tool.ts';
import type { Json } from '../../../interventions/index.ts';

type Run = (input: { readonly text: string }, help: ToolRunHelp) => Promise<Json> | Json;

const toolThat = (run: Run, more: { readonly timeoutMs?: number } = {}) =>
  defineTool({
    name: 'echo',
    description: 'Says it again.',
    input: z.object({ text: z.string().default('hi') }),
    run,
    ...more,
  });

const help = (more: object = {}) => ({ signal: new AbortController().signal, key: 'key-1', ...more });

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('running a tool', () => {
  it('returns its text, and gets the key of the call', async () => {
    const tool = toolThat(({ text }, { key }) => `${text} ${key}`);

    expect(await runTool(tool, { text: 'hello' }, help())).toEqual({ type: 'succeeded', output: 'hello key-1' });
  });

  it('renders what is not text as JSON', async () => {
    expect(
      await runTool(
        toolThat(() => ({ up: true })),
        { text: '' },
        help(),
      ),
    ).toEqual({
      type: 'succeeded',
      output: '{\n  "up": true\n}',
    });
  });

  it('passes pictures on and leaves out what the model would not accept', async () => {
    const picture = { type: 'image', mediaType: 'image/png', base64: 'AAAA' };
    const huge = { ...picture, base64: 'A'.repeat(7_000_001) };

    const run = await runTool(
      toolThat(() => [picture, huge]),
      { text: '' },
      help(),
    );

    expect(run).toEqual({
      type: 'succeeded',
      output: [picture, { type: 'text', text: '[image left out: more than the model accepts]' }],
    });
  });

  it.each([
    ['an error', new Error('no such host'), 'echo failed: no such host'],
    ['something else', { code: 7 }, 'echo failed: { code: 7 }'],
  ])('turns %s that was thrown into a result (AG-12)', async (_what, thrown, output) => {
    const tool = toolThat(() => {
      throw thrown;
    });

    expect(await runTool(tool, { text: '' }, help())).toEqual({ type: 'failed', output });
  });

  it('shortens the words of an error that are longer than a result may be (AG-12)', async () => {
    const tool = toolThat(() => {
      throw new Error('down '.repeat(40));
    });

    expect(await runTool(tool, { text: '' }, help({ outputChars: 30 }))).toEqual({
      type: 'failed',
      output: 'echo failed: down down down do\n[cut here: 183 more characters]',
    });
  });

  it.each([
    ['nothing', undefined],
    ['a cycle', Object.assign([], { 0: null })],
  ])('reports a tool that returned %s instead of a result (AG-12)', async (_what, value) => {
    const odd: unknown[] = Array.isArray(value) ? value : [];
    odd[0] = odd;
    // Deployments in plain JavaScript can do this.
    const tool = { ...toolThat(() => ''), run: async () => (value === undefined ? undefined : odd) };

    const run = await runTool(tool, { text: '' }, help());

    expect(run).toMatchObject({ type: 'failed', output: expect.stringContaining('ran to its end, but') });
  });

  it('runs nothing when the input does not fit', async () => {
    let started = 0;
    const tool = toolThat(() => {
      started += 1;
      return '';
    });

    expect(await runTool(tool, { text: 5 }, help())).toMatchObject({ type: 'notStarted' });
    expect(started).toBe(0);
  });

  it('treats a raw input and its parsed form alike', async () => {
    const tool = toolThat(({ text }) => text);
    const parsed = tool.parse({});

    expect(parsed).toEqual({ ok: true, input: { text: 'hi' } });
    expect(await runTool(tool, {}, help())).toEqual(await runTool(tool, { text: 'hi' }, help()));
  });
});

describe('a call that is stopped', () => {
  it('before it begins does not begin', async () => {
    let started = 0;
    const tool = toolThat(() => {
      started += 1;
      return '';
    });

    expect(await runTool(tool, { text: '' }, help({ signal: AbortSignal.abort() }))).toMatchObject({
      type: 'notStarted',
    });
    expect(started).toBe(0);
  });

  it('hears so and says how it ended', async () => {
    const stop = new AbortController();
    const tool = toolThat((_input, { signal }) => {
      setImmediate(() => stop.abort(new Error('stopped by Ann')));
      return untilAborted(signal);
    });

    expect(await runTool(tool, { text: '' }, help({ signal: stop.signal }))).toMatchObject({
      type: 'failed',
      stopped: true,
    });
  });

  it('is left behind with an unknown outcome when it does not listen', async () => {
    const stop = new AbortController();
    const tool = toolThat(() => {
      setImmediate(() => stop.abort());
      return new Promise<never>(() => {});
    });

    const run = await runTool(tool, { text: '' }, help({ signal: stop.signal, graceMs: 1 }));

    expect(run).toMatchObject({ type: 'abandoned', cause: 'aborted', output: expect.stringContaining('is not known') });
  });

  it('by its time limit is different from a failure', async () => {
    const tool = toolThat(() => new Promise<never>(() => {}), { timeoutMs: 5 });

    const run = await runTool(tool, { text: '' }, help({ graceMs: 1 }));

    expect(run).toMatchObject({ type: 'abandoned', cause: 'timeout', output: expect.stringContaining('0.005 s') });
  });

  it('leaves no listener on a signal that outlives it', async () => {
    let listeners = 0;
    const { signal } = new AbortController();
    const counted = Object.assign(signal, {
      addEventListener: () => {
        listeners += 1;
      },
      removeEventListener: () => {
        listeners -= 1;
      },
    });

    await runTool(
      toolThat(() => ''),
      { text: '' },
      help({ signal: counted }),
    );

    expect(listeners).toBe(0);
  });
});

describe('a long result', () => {
  it.each([
    [25_000, '5000 more characters'],
    [20_001, '1 more character'],
  ])('is cut, and says how much is missing: %i characters', async (characters, missing) => {
    const run = await runTool(
      toolThat(() => 'x'.repeat(characters)),
      { text: '' },
      help(),
    );

    expect(run).toEqual({ type: 'succeeded', output: `${'x'.repeat(20_000)}\n[cut here: ${missing}]` });
  });

  it.each([
    ['an emoji of many parts', '👩‍👩‍👧‍👦'],
    ['a flag', '🇩🇪'],
    ['a letter with an accent of its own', 'e\u0301'],
  ])('is never cut inside %s', async (_what, character) => {
    const run = await runTool(
      toolThat(() => character.repeat(20)),
      { text: '' },
      help({ outputChars: 31 }),
    );

    const [kept = ''] = String(run.type === 'succeeded' && run.output).split('\n');
    expect(kept.replaceAll(character, '')).toBe('');
    expect(kept).not.toBe('');
  });

  it('is cut even as one endless word', async () => {
    const run = await runTool(
      toolThat(() => `e${'\u0301'.repeat(50_000)}`),
      { text: '' },
      help(),
    );

    expect(String(run.output).split('\n')[0]).toHaveLength(20_000);
  });

  it.each([
    [1000, '980 more parts'],
    [21, '1 more part'],
  ])('in %i parts is cut as a whole', async (length, missing) => {
    const parts = Array.from({ length }, () => ({ type: 'text', text: 'y'.repeat(1000) }));

    const run = await runTool(
      toolThat(() => parts),
      { text: '' },
      help(),
    );

    expect(JSON.stringify(run).length).toBeLessThan(22_000);
    expect(JSON.stringify(run)).toContain(`[cut here: ${missing}]`);
  });

  it('is cut as well when it is an error', async () => {
    const tool = toolThat(() => {
      throw new Error('z'.repeat(30_000));
    });

    expect(String((await runTool(tool, { text: '' }, help())).output).length).toBeLessThan(20_100);
  });
});
