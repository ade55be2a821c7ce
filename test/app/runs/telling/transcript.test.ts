import { describe, expect, it } from 'vitest';
import { closeTranscript, latest, readTranscript, textOf } from '../../../../app/runs/telling/transcript.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import type { Message } from '../../../../interventions/index.ts';
import { fold, started, turn, user } from '../../../support/journal.ts';

const said = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const asks = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  content: ids.map((toolUseId) => ({ type: 'toolUse', toolUseId, name: 'look', input: {} })),
});
const result = (toolUseId: string) => ({
  type: 'toolResult' as const,
  toolUseId,
  status: 'success' as const,
  content: [{ type: 'text' as const, text: toolUseId }],
});

const items = [said('hello'), asks('a', 'b'), result('b'), result('a')].map((item) => JSON.stringify(item));
/** The first answer of the model, behind the message of a person. */
const answer = (...calls: readonly string[]) => ({ ...turn(1, ...calls), item: 1 });
const asked = [started, { type: 'person-said', key: 'k', user: user('ANN'), item: 0 }, answer('a', 'b')] as const;
const answered = (call: string, item: number) => ({ type: 'call-answered', call, item }) as const;

describe('a transcript', () => {
  it('puts results behind their turn in the order of the requests, in whatever order they came', () => {
    const state = fold(...asked, answered('1/b', 2), answered('1/a', 3));

    const { messages, pending } = readTranscript(state, items);

    expect(pending).toBeUndefined();
    expect(messages).toEqual([said('hello'), asks('a', 'b'), { role: 'user', content: [result('a'), result('b')] }]);
  });

  it('puts nothing behind an answer that asked for nothing', () => {
    const state = fold(asked[0], asked[1], answer());

    expect(readTranscript(state, items).messages).toEqual([said('hello'), asks('a', 'b')]);
  });

  it('keeps a turn with open calls apart, together with the results so far', () => {
    const { messages, pending } = readTranscript(fold(...asked, answered('1/b', 2)), items);

    expect(messages).toEqual([said('hello')]);
    expect(pending).toEqual({ message: asks('a', 'b'), results: [result('b')], lost: new Map() });
  });

  it('of a run that is over says of each open call that it did not run', () => {
    const closed = closeTranscript(readTranscript(fold(...asked, answered('1/b', 2)), items));

    expect(closed.at(-1)?.content).toMatchObject([
      { toolUseId: 'a', status: 'error' },
      { toolUseId: 'b', status: 'success' },
    ]);
  });

  it('of a run that is over says of each call that was begun and has no end that its outcome is unknown', () => {
    const begun = (call: string) =>
      ({ type: 'call-started', call, attempt: call, tool: 'look', digest: 'd', grant: { type: 'open' } }) as const;
    const lost = { type: 'call-unknown', call: '1/b', attempt: '1/b' } as const;
    const transcript = readTranscript(fold(...asked, begun('1/a'), begun('1/b'), lost), items);

    expect(transcript.pending?.lost).toEqual(
      new Map([
        ['a', WORDS.unknownResult()],
        ['b', WORDS.unknownResult()],
      ]),
    );
    expect(closeTranscript(transcript).at(-1)?.content).toMatchObject([
      { toolUseId: 'a', content: [{ text: WORDS.unknownResult() }] },
      { toolUseId: 'b', content: [{ text: WORDS.unknownResult() }] },
    ]);
  });

  it('is cut at a message of a person, so that no result is left without its request', () => {
    const messages = [
      said('one'),
      asks('a'),
      { role: 'user' as const, content: [result('a')] },
      said('two'),
      said('three'),
    ];

    expect(latest(messages, 3)).toEqual([said('two'), said('three')]);
    expect(latest(messages, 2)).toEqual([said('two'), said('three')]);
    expect(latest(messages, 9)).toEqual(messages);
  });

  it('gives the text of a message without its other parts', () => {
    expect(textOf({ role: 'assistant', content: [{ type: 'text', text: ' Hi ' }, ...asks('a').content] })).toBe('Hi');
  });

  it('gives in the text of a message what was used at the provider of the model', () => {
    const used = { type: 'server_tool_use', name: 'web_search', input: {} };

    expect(textOf({ role: 'assistant', content: [{ type: 'opaque', value: used }] })).toContain('web_search');
  });
});
