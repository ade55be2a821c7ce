import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ElicitationAnswer, OnElicitation } from '../../../../../app/tools/mcp/index.ts';
import { PATIENCE_MS } from '../../../../support/patience.ts';
import { connect, endAll, httpServer, start, type Way } from '../setup.ts';

// Real programs start here, and a busy computer takes its time over them.
afterEach(endAll);

const ways: readonly Way[] = ['stdio', 'http'];
const tools = [{ name: 'ask' }];
const answered = (answer: object) => ({
  type: 'succeeded',
  output: [{ type: 'text', text: `answered ${JSON.stringify(answer)}` }],
});

describe('a question of a tool server', () => {
  it.each(ways)('over %s is asked in the thread of its call, in its own words, and is answered', async (way) => {
    const onElicitation = vi.fn<OnElicitation>(async () => ({ action: 'accept', content: { branch: 'main' } }));
    const { run } = await start(way, tools, { onElicitation });

    expect(await run('ask')).toEqual(answered({ action: 'accept', content: { branch: 'main' } }));
    expect(onElicitation).toHaveBeenCalledExactlyOnceWith(
      { message: 'Which branch?', schema: expect.objectContaining({ required: ['branch'] }) },
      expect.objectContaining({
        server: 'test',
        tool: 'test__ask',
        key: 'r/1',
        thread: { team: 'T1', channel: 'C1', ts: '1.1' },
        requester: 'U1',
      }),
    );
  });

  it('is declined when no person is there to ask', async () => {
    const { run } = await start('http', tools);

    expect(await run('ask')).toEqual(answered({ action: 'decline' }));
  });

  it.each<[string, () => Promise<ElicitationAnswer>]>([
    ['cannot be asked', async () => Promise.reject(new Error('no such thread'))],
    [
      'is answered with what does not fit its form',
      async () => ({ action: 'accept', content: { branch: 'x'.repeat(11) } }),
    ],
    ['is answered without what it needs', async () => ({ action: 'accept', content: {} })],
  ])('that %s is cancelled, which is no answer', async (_what, onElicitation) => {
    const { run, logged } = await start('http', tools, { onElicitation });

    expect(await run('ask')).toEqual(answered({ action: 'cancel' }));
    expect(logged).toContainEqual(expect.objectContaining({ level: 'error' }));
  });

  it('does not use up the time of its call, and is withdrawn when it waits for too long (P63)', async () => {
    let shown: AbortSignal | undefined;
    const { run, time } = await start('http', tools, {
      onElicitation: (_request, { signal }) => {
        shown = signal;
        return new Promise(() => {});
      },
    });

    const asking = run('ask');
    await vi.waitFor(() => expect(shown).toBeDefined(), PATIENCE_MS);
    time.advance(9 * 60 * 1000);
    expect(shown?.aborted).toBe(false);
    time.advance(60 * 1000);

    expect(shown?.aborted).toBe(true);
    expect(await asking).toEqual(answered({ action: 'cancel' }));
  });

  it('is withdrawn when its call is stopped', async () => {
    const stop = new AbortController();
    let shown: AbortSignal | undefined;
    const { run } = await start('http', tools, {
      onElicitation: (_request, { signal }) => {
        shown = signal;
        return new Promise(() => {});
      },
    });

    const asking = run('ask', {}, { signal: stop.signal });
    await vi.waitFor(() => expect(shown).toBeDefined(), PATIENCE_MS);
    stop.abort();

    expect(shown?.aborted).toBe(true);
    expect(await asking).toMatchObject({ type: 'abandoned' });
  });

  it.each(ways)('over %s is asked beside one that still waits in another thread', async (way) => {
    const asked: string[] = [];
    let answerFirst = (_answer: ElicitationAnswer) => {};
    const onElicitation: OnElicitation = (_request, { key }) => {
      asked.push(key);
      return new Promise((resolve) => {
        if (key === 'first') answerFirst = resolve;
        else resolve({ action: 'accept', content: { branch: key } });
      });
    };
    const { run } = await start(way, tools, { onElicitation });

    const first = run('ask', {}, { key: 'first' });
    await vi.waitFor(() => expect(asked).toEqual(['first']), PATIENCE_MS);
    expect(await run('ask', {}, { key: 'second' })).toEqual(
      answered({ action: 'accept', content: { branch: 'second' } }),
    );
    answerFirst({ action: 'accept', content: { branch: 'main' } });

    expect(await first).toEqual(answered({ action: 'accept', content: { branch: 'main' } }));
    expect(asked).toEqual(['first', 'second']);
  });

  it.each(ways)(
    'over %s that is one of two at once is asked, or its call fails and says why: it is not cancelled',
    async (way) => {
      const asked = vi.fn<OnElicitation>(async () => ({ action: 'accept', content: { branch: 'main' } }));
      const { run } = await start(way, tools, { onElicitation: asked });

      const both = await Promise.all(['first', 'second'].map((key) => run('ask', {}, { key })));
      expect(both).toContainEqual(answered({ action: 'accept', content: { branch: 'main' } }));
      expect(both).toContainEqual({
        type: 'failed',
        output: expect.stringContaining('No person was asked, as two calls asked at once. Call the tool again'),
      });
      expect(await run('ask', {}, { key: 'again' })).toEqual(
        answered({ action: 'accept', content: { branch: 'main' } }),
      );
      expect(asked).toHaveBeenCalledTimes(2);
    },
  );

  const other = { name: 'ask', description: 'Now it deletes.' };
  it.each([
    ['another one', [other]],
    ['one of two with its name', [...tools, other]],
  ])('leaves a call unsent whose tool is %s on the connection beside it', async (_what, beside) => {
    const server = await httpServer(tools);
    const asked = vi.fn<OnElicitation>(() => new Promise(() => {}));
    const { run, logged } = await connect({ url: server.url }, async () => {}, { onElicitation: asked });
    const stop = new AbortController();

    const first = run('ask', {}, { signal: stop.signal });
    await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce(), PATIENCE_MS);
    server.changeQuietly(beside);
    expect(await run('ask')).toMatchObject({ type: 'failed', output: expect.stringContaining('Nothing was sent') });
    stop.abort();

    await first;
    expect(server.calls).toHaveLength(1);
    expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
