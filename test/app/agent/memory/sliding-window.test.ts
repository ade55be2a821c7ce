import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyReduction, describeReduction } from '../../../../app/agent/alone/memory/reduction.ts';
import { slidingWindow } from '../../../../app/agent/memory/sliding-window.ts';
import type { Message } from '../../../../interventions/index.ts';
import { call, says } from '../../../support/scripted-model.ts';
import { conversation, flawsOf } from './conversations.ts';

const context = (warnings: string[] = []) => ({
  signal: new AbortController().signal,
  warn: (message: string) => void warnings.push(message),
});
const isSpoken = ({ role, content }: Message) => role === 'user' && content.some(({ type }) => type === 'text');

describe('the sliding window', () => {
  it('keeps a valid end of any conversation, and as much of it as fits (G-06)', async () => {
    const property = fc.asyncProperty(conversation, fc.integer({ min: 1, max: 12 }), async (messages, windowSize) => {
      const warnings: string[] = [];
      const kept = await slidingWindow({ windowSize }).manage(messages, context(warnings));

      expect(flawsOf(kept)).toEqual([]);
      expect(kept).toEqual(messages.slice(messages.length - kept.length));
      if (messages.length <= windowSize) expect(kept).toBe(messages);
      else if (warnings.length > 0) expect(kept).toBe(messages);
      else {
        expect(kept.length).toBeLessThanOrEqual(windowSize);
        const spokenInWindow = messages.slice(-windowSize).findIndex(isSpoken);
        if (spokenInWindow >= 0) expect(kept).toEqual(messages.slice(-windowSize).slice(spokenInWindow));
      }
    });
    await fc.assert(property, { numRuns: 500 });
  });

  it('leaves a conversation whole that has no place to cut, and says so (G-06)', async () => {
    const warnings: string[] = [];
    const messages: Message[] = [says('go'), { role: 'assistant', content: [{ type: 'text', text: 'done' }] }];
    const kept = await slidingWindow({ windowSize: 1 }).manage(messages, context(warnings));

    expect(kept).toBe(messages);
    expect(warnings).toEqual(['No message of the last 1 can begin a conversation, so all 2 are kept.']);
  });

  it('begins with a request and its results when no person has spoken for long (G-06)', async () => {
    const steps = Array.from({ length: 6 }, (_, index): Message[] => [
      { role: 'assistant', content: [call('look', {}, `id-${index}`)] },
      { role: 'user', content: [{ type: 'toolResult', toolUseId: `id-${index}`, status: 'success', content: [] }] },
    ]).flat();
    const kept = await slidingWindow({ windowSize: 5 }).manage([says('go'), ...steps], context());

    expect(kept).toEqual(steps.slice(-4));
  });

  it('forgets everything with a window of 0, and nothing by default within 40 (G-06)', async () => {
    const messages = Array.from(
      { length: 40 },
      (_, index): Message =>
        index % 2 === 0 ? says('question') : { role: 'assistant', content: [{ type: 'text', text: 'answer' }] },
    );

    expect(await slidingWindow({ windowSize: 0 }).manage(messages, context())).toEqual([]);
    expect(await slidingWindow().manage(messages, context())).toBe(messages);
    expect(await slidingWindow().manage([...messages, says('more')], context())).toHaveLength(39);
    expect(() => slidingWindow({ windowSize: -1 })).toThrow('whole number');
  });

  it('drops the least useful content first on overflow, until nothing can go, and stays valid (G-06)', async () => {
    const property = fc.asyncProperty(conversation, fc.integer({ min: 0, max: 12 }), async (messages, windowSize) => {
      const manager = slidingWindow({ windowSize });
      let left = messages;
      for (let steps = 0; ; steps += 1) {
        const less = await manager.reduce(left, context());
        if (less === left) break;
        expect(flawsOf(less)).toEqual([]);
        expect(JSON.stringify(less).length).toBeLessThan(JSON.stringify(left).length);
        expect(applyReduction(left, describeReduction(left, less))).toEqual(less);
        expect(less.at(-1)?.role).toBe(messages.at(-1)?.role);
        expect(steps).toBeLessThan(200);
        left = less;
      }
      expect(JSON.stringify(left)).not.toContain('\\ud83d');
      expect(left.length).toBeGreaterThan(0);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('shortens the oldest large result first: both ends stay, and a note replaces pictures (G-06)', async () => {
    const large: Message[] = [
      says('go'),
      { role: 'assistant', content: [call('look', {}, 'a'), call('look', {}, 'b')] },
      {
        role: 'user',
        content: [
          {
            type: 'toolResult',
            toolUseId: 'a',
            status: 'success',
            content: [
              { type: 'text', text: `${'<'.repeat(300)}${'>'.repeat(300)}` },
              { type: 'image', mediaType: 'image/png', base64: 'aa' },
            ],
          },
          { type: 'toolResult', toolUseId: 'b', status: 'success', content: [{ type: 'text', text: 'small' }] },
        ],
      },
    ];
    const less = await slidingWindow().reduce(large, context());
    const [first, second] = less[2]?.content ?? [];

    expect(first).toMatchObject({
      content: [
        { text: `${'<'.repeat(200)}\n[200 characters left out to make room]\n${'>'.repeat(200)}` },
        { text: '[image left out to make room]' },
      ],
    });
    expect(second).toBe(large[2]?.content[1]);
    expect(JSON.stringify(describeReduction(large, less))).not.toContain('small');
  });
});
