import { describe, expect, it } from 'vitest';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { decideStop } from '../../../../app/journal/index.ts';
import { callsBefore, owedPosts } from '../../../../app/runs/telling/posts.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import { approvalId, asked, fold, foldOnto, grantId, started, turn, user } from '../../../support/journal.ts';

const card = { channel: 'C1', ts: '2.0' };
const elsewhere = { channel: 'C1', ts: '3.0' };
const saying = (number: number, ...calls: readonly string[]): EntryBody => {
  const entry = turn(number, ...calls);
  return entry.type === 'turn-answered' ? { ...entry, says: true } : entry;
};
const ran = (call: string, tool: string, ms: number, grant: 'open' | 'trust' = 'open'): readonly EntryBody[] => [
  {
    type: 'call-started',
    call,
    attempt: call,
    tool,
    digest: 'd',
    grant: grant === 'open' ? { type: 'open' } : { type: 'trust', grant: grantId() },
  },
  { type: 'call-finished', call, attempt: call, ok: ms > 0, ms, item: 0 },
];

describe('the record of a streamed reply', () => {
  const begun = fold(started, { type: 'reply-begun' }, { type: 'reply-begun', card });

  it('says that a reply is about to begin, and then where it is', () => {
    expect(fold(started, { type: 'reply-begun' }).writing).toEqual({});
    expect(begun.writing).toEqual({ card });
  });

  it('ends when the reply was posted or removed, and not when another text was posted', () => {
    const state = (...more: readonly EntryBody[]) =>
      fold(started, { type: 'reply-begun' }, { type: 'reply-begun', card }, ...more).writing;

    expect(state({ type: 'posted', key: 'turn/1', card })).toBeUndefined();
    expect(state({ type: 'reply-dropped' })).toBeUndefined();
    expect(state({ type: 'posted', key: 'stopped', card: elsewhere })).toEqual({ card });
  });

  it('is missing in an older journal, which still has to post what it had to post', () => {
    const state = fold(started, saying(1));

    expect(state.writing).toBeUndefined();
    expect(owedPosts(state)).toEqual([{ key: 'turn/1', turn: 1, item: 0 }]);
  });
});

it('a stop speaks of what was waiting only where it cancelled a question (SURF-1)', () => {
  const told = (...before: readonly EntryBody[]) => {
    const state = fold(started, turn(1, 'a'), ...before);
    const stopped = foldOnto(state, ...decideStop(state, { cause: WORDS.runStopped, by: user('ANN') }).entries);
    return owedPosts(stopped).map((owed) => 'words' in owed && owed.words.text);
  };
  const over: EntryBody = { type: 'call-expired', approval: approvalId() };

  expect(told(asked())).toEqual(['Stopped. What was waiting for an answer did not run and will not.']);
  expect(told()).toEqual(['Stopped.']);
  expect(told(asked(), over)).toEqual(['Stopped.']);
  const takenBack: EntryBody = { type: 'call-cancelled', approval: approvalId(), cause: 'The rules have changed.' };
  expect(told(asked(), takenBack)).toEqual(['Stopped.']);
});

describe('what a thread has yet to be told', () => {
  const last = (entry: EntryBody): EntryBody =>
    entry.type === 'turn-answered' ? { ...entry, stopReason: 'endTurn' } : entry;
  const keys = (...entries: readonly EntryBody[]) => owedPosts(fold(started, ...entries)).map(({ key }) => key);

  it('begins with the files of a message that could not be read', () => {
    const said: EntryBody = { type: 'person-said', key: 'm1', user: user('ANN'), item: 0, unread: 'I cannot read it.' };

    expect(owedPosts(fold(started, said, saying(1)))).toEqual([
      { key: 'unread/m1', words: { text: 'I cannot read it.' } },
      { key: 'turn/1', turn: 1, item: 0 },
    ]);
  });

  it('is nothing once the thread takes nothing', () => {
    expect(keys(saying(1))).toEqual(['turn/1']);
    expect(keys(saying(1), { type: 'unheard', cause: 'The channel is gone.' })).toEqual([]);
  });

  it('is that the model had no words, if its last answer has none and the run was not stopped or sealed', () => {
    const silent = last(turn(1));

    expect(keys(silent)).toEqual(['wordless/1']);
    expect(keys(turn(1, 'a'))).toEqual([]);
    expect(keys(last(saying(1)))).toEqual(['turn/1']);
    expect(keys(silent, { type: 'run-stopped', cause: 'A cap.' })).toEqual(['stopped']);
    expect(keys(silent, { type: 'run-finished' }, { type: 'sealed' })).toEqual([]);
  });
});

describe('the calls below an answer', () => {
  it('are those that ran without a question since the last post in the thread', () => {
    const state = fold(
      started,
      saying(1, 'a'),
      ...ran('1/a', 'look', 12),
      turn(2, 'a', 'b', 'c'),
      ...ran('2/a', 'read', 3),
      ...ran('2/b', 'deploy', 9, 'trust'),
      ...ran('2/c', 'find', 0),
      saying(3, 'a'),
      ...ran('3/a', 'later', 5),
      saying(4),
    );

    expect(callsBefore(state, 1)).toEqual([]);
    expect(callsBefore(state, 3)).toEqual([
      { tool: 'look', outcome: 'ran', ms: 12 },
      { tool: 'read', outcome: 'ran', ms: 3 },
      { tool: 'find', outcome: 'failed', ms: 0 },
    ]);
    expect(callsBefore(state, 4)).toEqual([{ tool: 'later', outcome: 'ran', ms: 5 }]);
  });

  it('are those of each turn while the thread has read nothing of the model', () => {
    const state = fold(
      started,
      turn(1, 'a'),
      ...ran('1/a', 'look', 12),
      turn(2, 'a'),
      ...ran('2/a', 'read', 3),
      saying(3),
    );

    expect(callsBefore(state, 3).map(({ tool }) => tool)).toEqual(['look', 'read']);
  });

  it('say so when the end of one is unknown', () => {
    const state = fold(started, turn(1, 'a'), ...ran('1/a', 'look', 1).slice(0, 1), {
      type: 'call-unknown',
      call: '1/a',
      attempt: '1/a',
    });

    expect(callsBefore(foldOnto(state, saying(2)), 2)).toEqual([{ tool: 'look', outcome: 'unknown', ms: 0 }]);
  });

  it('have an unknown end while they may still be at work', () => {
    const state = fold(started, turn(1, 'a'), ...ran('1/a', 'look', 1).slice(0, 1), saying(2));

    expect(callsBefore(state, 2)).toEqual([{ tool: 'look', outcome: 'unknown', ms: 0 }]);
  });
});
