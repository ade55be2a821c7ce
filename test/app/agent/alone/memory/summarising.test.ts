import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarising } from '../../../../../app/agent/alone/memory/summarising.ts';
import { alternating } from '../../../../../app/agent/transcript.ts';
import type { Message } from '../../../../../interventions/index.ts';
import { says } from '../../../../support/scripted-model.ts';
import { conversation, flawsOf } from '../../memory/conversations.ts';

const context = (warnings: string[] = []) => ({
  signal: new AbortController().signal,
  warn: (message: string) => void warnings.push(message),
});
const talk = Array.from(
  { length: 20 },
  (_, index): Message =>
    index % 2 === 0 ? says(`q${index}`) : { role: 'assistant', content: [{ type: 'text', text: `a${index}` }] },
);

describe('the summarising manager', () => {
  it('puts a summary, marked as nobody’s speech, in place of the oldest messages', async () => {
    const seen: (readonly Message[])[] = [];
    const manager = summarising({
      summarise: async (messages) => {
        seen.push(messages);
        return 'They greeted.';
      },
    });
    const less = await manager.reduce(talk, context());

    expect(seen).toEqual([talk.slice(0, 6)]);
    expect(less).toEqual([
      {
        role: 'user',
        origin: 'intervention',
        content: [{ type: 'text', text: 'Summary of what was said before:\nThey greeted.' }],
      },
      ...talk.slice(6),
    ]);
    expect(await manager.manage(talk, context())).toBe(talk);
  });

  it('never splits a request from its results, and never touches the newest messages', async () => {
    const property = fc.asyncProperty(conversation, fc.integer({ min: 0, max: 10 }), async (messages, keepNewest) => {
      const less = await summarising({ summarise: async () => 'short', keepNewest }).reduce(messages, context());

      expect(flawsOf(alternating(less))).toEqual([]);
      if (keepNewest > 0) expect(less.slice(-keepNewest)).toEqual(messages.slice(-keepNewest));
      if (less !== messages) expect(less.length).toBeLessThan(messages.length);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('keeps everything when too little is left or the summary fails', async () => {
    const warnings: string[] = [];
    const short = talk.slice(0, 8);

    expect(await summarising({ summarise: async () => 'x' }).reduce(short, context(warnings))).toBe(short);
    expect(warnings).toEqual(['Only 8 messages are left, and the newest 10 are not summarised.']);
    await expect(summarising({ summarise: async () => ' ' }).reduce(talk, context())).rejects.toThrow('empty');
    expect(() => summarising({ summarise: async () => 'x', share: 0.9 })).toThrow('0.1 to 0.8');
  });
});
