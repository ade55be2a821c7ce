import { describe, expect, it } from 'vitest';
import { decideStop } from '../../../../app/journal/decide/decide.ts';
import type { Decided } from '../../../../app/journal/decide/decided.ts';
import {
  type AnswerFacts,
  decideAnswer,
  decideQuestion,
  decideQuestionExpiry,
  decideWithdrawal,
  type QuestionAsk,
} from '../../../../app/journal/decide/questions.ts';
import { decideFinish, decideUnknown } from '../../../../app/journal/decide/start.ts';
import { type EntryBody, EntryBody as Schema } from '../../../../app/journal/facts/entries.ts';
import { pendingQuestions } from '../../../../app/journal/fold/queries/questions.ts';
import { toQuestion } from '../../../../app/journal/fold/queries/view.ts';
import type { RunState } from '../../../../app/journal/fold/state.ts';
import { owedQuestions } from '../../../../app/journal/owed/cards.ts';
import { effectsOf } from '../../../../app/journal/owed/effects.ts';
import { brokenPromises } from '../../../../app/keeping/audit/promises.ts';
import { type ApprovalId, threadKey } from '../../../../app/records/index.ts';
import { approvalId, fold, foldOnto, HOUR_MS, started, THREAD, turn, user } from '../../../support/journal.ts';

const callStarted: EntryBody = {
  type: 'call-started',
  call: '1/a',
  attempt: 't1',
  tool: 'notes__ask',
  digest: 'd1',
  grant: { type: 'open' },
};
const running = fold(started, turn(1, 'a', 'b'), callStarted);
const MOST = 2;

type Ask = QuestionAsk<'inquiry'> & { readonly id: ApprovalId; readonly expiresAtMs: number };
const ask = (changes: Partial<Ask> = {}): Ask => ({
  id: approvalId(),
  call: '1/a',
  server: 'notes',
  tool: 'notes__ask',
  message: 'Which branch?',
  schema: '{"type":"object","properties":{}}',
  expiresAtMs: HOUR_MS,
  ...changes,
});
const decideInquiry = (state: RunState, { id, expiresAtMs, ...asking }: Ask, most: number) =>
  decideQuestion(state, { kind: 'inquiry', id }, asking, { expiresAtMs, most });
const answered = (changes: Partial<AnswerFacts<'inquiry'>> = {}): AnswerFacts<'inquiry'> => ({
  kind: 'inquiry',
  id: approvalId(),
  by: { user: user('ANN'), team: THREAD.team },
  answer: { how: 'answered', content: { branch: 'main' } },
  ...changes,
});

const record = <Result>(state: RunState, decided: Decided<Result>) =>
  foldOnto(state, ...decided.entries.map((entry) => Schema.parse(JSON.parse(JSON.stringify(entry)))));
const asked = record(running, decideInquiry(running, ask(), MOST));
const standing = (state: RunState) => state.questions.get(approvalId())?.standing;

describe('an inquiry', () => {
  it('belongs to a running call: none is asked before its start, after its end, or after the run is stopped', () => {
    const finished = record(running, decideFinish(running, { call: '1/a', attempt: 't1', ok: true, ms: 1 }));
    const stopped = record(running, decideStop(running, { cause: 'Stopped.' }));

    expect(decideInquiry(running, ask(), MOST).result).toBe('asked');
    expect(decideInquiry(running, ask({ call: '1/b' }), MOST)).toEqual({ entries: [], result: 'over' });
    expect(decideInquiry(finished, ask(), MOST)).toEqual({ entries: [], result: 'over' });
    expect(decideInquiry(stopped, ask(), MOST)).toEqual({ entries: [], result: 'over' });
  });

  it('is not asked when its call already waits for as many answers as it may', () => {
    const two = record(asked, decideInquiry(asked, ask({ id: approvalId(2) }), MOST));
    const third = ask({ id: approvalId(3) });

    expect(decideInquiry(two, third, MOST)).toEqual({ entries: [], result: 'too-many' });
    expect(decideInquiry(record(two, decideAnswer(two, answered())), third, MOST).result).toBe('asked');
  });

  it('is answered by the requester, in the requester’s words', () => {
    const decided = decideAnswer(asked, answered());

    expect(decided).toMatchObject({ result: 'recorded', notAfterMs: HOUR_MS });
    expect(standing(record(asked, decided))).toMatchObject({
      status: 'answered',
      by: 'ANN',
      content: { branch: 'main' },
    });
  });

  it('is declined by the requester', () => {
    expect(standing(record(asked, decideAnswer(asked, answered({ answer: { how: 'declined' } }))))).toMatchObject({
      status: 'declined',
      by: 'ANN',
    });
  });

  it.each([
    ['another person', { user: user('ZOE'), team: THREAD.team }],
    ['a person of another workspace under the same id', { user: user('ANN'), team: 'T2' }],
  ])('is not answered by %s (P35)', (_who, by) => {
    expect(decideAnswer(asked, answered({ by }))).toEqual({ entries: [], result: 'not-yours' });
  });

  it('keeps its first answer, whatever answer or end comes later (P3)', () => {
    const first = record(asked, decideAnswer(asked, answered()));

    expect(decideAnswer(first, answered({ answer: { how: 'declined' } }))).toEqual({ entries: [], result: 'settled' });
    expect(decideQuestionExpiry(first, approvalId(), 2 * HOUR_MS)).toEqual({ entries: [], result: 'settled' });
    expect(decideWithdrawal(first, approvalId())).toEqual({ entries: [], result: 'settled' });
    expect(decideStop(first, { cause: 'Stopped.' }).entries.map(({ type }) => type)).toEqual(['run-stopped']);
  });

  it('takes no answer after its end', () => {
    const withdrawn = record(asked, decideWithdrawal(asked, approvalId()));
    const expired = record(asked, decideQuestionExpiry(asked, approvalId(), HOUR_MS));

    expect(standing(withdrawn)).toEqual({ status: 'withdrawn' });
    expect(standing(expired)).toEqual({ status: 'expired' });
    expect(decideAnswer(withdrawn, answered()).result).toBe('settled');
    expect(decideAnswer(expired, answered()).result).toBe('settled');
    expect(decideQuestionExpiry(asked, approvalId(), HOUR_MS - 1)).toEqual({ entries: [], result: 'not-yet' });
  });

  it('is unknown when it was never asked, even under the id of an approval', () => {
    expect(decideAnswer(asked, answered({ id: approvalId(9) })).result).toBe('unknown');
  });

  it('ends with its call, and with the run', () => {
    const finished = decideFinish(asked, { call: '1/a', attempt: 't1', ok: true, ms: 1 });

    expect(standing(record(asked, finished))).toEqual({ status: 'withdrawn' });
    expect(standing(record(asked, decideStop(asked, { cause: 'Stopped.' })))).toEqual({ status: 'withdrawn' });
  });

  it('ends when the process that ran its call dies, and not while that process lives', () => {
    expect(
      standing(
        record(
          asked,
          decideUnknown(asked, () => false),
        ),
      ),
    ).toEqual({ status: 'withdrawn' });
    expect(
      standing(
        record(
          asked,
          decideUnknown(asked, () => true),
        ),
      ),
    ).toEqual({ status: 'pending' });
  });

  it('is withdrawn by the process that goes on when its call was given up without an answer', () => {
    const givenUp = foldOnto(asked, { type: 'call-unknown', call: '1/a', attempt: 't1' });

    expect(decideUnknown(givenUp, () => true).entries.map(({ type }) => type)).toEqual(['inquiry-settled']);
  });

  it('has its card painted once when it is settled', () => {
    const card = { channel: 'C1', ts: '2.0' };
    const posted = foldOnto(asked, { type: 'inquiry-posted', inquiry: approvalId(), card });
    const settled = record(posted, decideAnswer(posted, answered()));
    const painted = foldOnto(settled, { type: 'inquiry-painted', inquiry: approvalId() });

    expect(owedQuestions(posted)).toEqual([]);
    expect(owedQuestions(settled).map(({ id }) => id)).toEqual([approvalId()]);
    expect(owedQuestions(painted)).toEqual([]);
    expect(pendingQuestions(posted)).toHaveLength(1);
    expect(pendingQuestions(settled)).toHaveLength(0);
  });

  it('has its card searched for when no process recorded the post, and painted when that record comes late (P21)', () => {
    const settled = record(asked, decideWithdrawal(asked, approvalId()));
    const looked = foldOnto(settled, { type: 'inquiry-painted', inquiry: approvalId() });
    const card = { channel: 'C1', ts: '2.0' };

    expect(owedQuestions(settled)).toHaveLength(1);
    expect(owedQuestions(looked)).toHaveLength(0);
    expect(owedQuestions(foldOnto(looked, { type: 'inquiry-posted', inquiry: approvalId(), card }))).toHaveLength(1);
  });

  it('is drawn from the question and the person who was asked', () => {
    const [inquiry] = pendingQuestions(asked);

    expect(inquiry && toQuestion(asked, inquiry).asks).toEqual({
      id: approvalId(),
      run: asked.run,
      thread: THREAD,
      requester: 'ANN',
      server: 'notes',
      tool: 'notes__ask',
      message: 'Which branch?',
      schema: '{"type":"object","properties":{}}',
      askedAtMs: expect.any(Number),
      expiresAtMs: HOUR_MS,
      standing: { status: 'pending' },
    });
  });
});

describe('the indexes', () => {
  const at = { thread: threadKey(THREAD), graceMs: 100 };

  it('find the run of an inquiry by its id, and give its time', () => {
    const { entries } = decideInquiry(running, ask(), MOST);

    expect(effectsOf(asked, entries, at)).toEqual([
      { type: 'approval', approval: approvalId(), run: asked.run },
      { type: 'due', item: { what: 'expiry', subject: approvalId() }, atMs: HOUR_MS },
    ]);
  });

  it('follow its end, and tell only the process that runs the call', () => {
    const { entries } = decideAnswer(asked, answered());

    expect(effectsOf(asked, entries, at).map(({ type }) => type)).toEqual(['not-due', 'hint']);
  });
});

describe('a journal that was changed from outside', () => {
  it('is reported when it settles an inquiry twice, or one that was never asked', () => {
    const settle: EntryBody = { type: 'inquiry-settled', inquiry: approvalId(), how: 'withdrawn' };

    expect(() => foldOnto(asked, settle, settle)).toThrow('settles inquiry');
    expect(() => foldOnto(running, settle)).toThrow('was never asked');
  });

  it('is reported when it settles an inquiry as a lost call', () => {
    const settle: EntryBody = { type: 'doubt-settled', doubt: approvalId(), how: 'expired' };

    expect(() => foldOnto(asked, settle)).toThrow(`speaks of doubt ${approvalId()}, which was never asked`);
  });
});

describe('the audit', () => {
  const says = (...entries: readonly EntryBody[]) =>
    brokenPromises([started, turn(1, 'a', 'b'), callStarted, ...entries]).map((broken) => broken.says);
  const written = ({ id: inquiry, ...rest }: Ask): EntryBody =>
    Schema.parse({ type: 'inquiry-asked', inquiry, ...rest });
  const question = written(ask());
  const settle = (changes: object): EntryBody =>
    Schema.parse({ type: 'inquiry-settled', inquiry: approvalId(), how: 'declined', by: 'ANN', ...changes });

  it('has nothing to say about an inquiry that was answered once, by the requester, while its call ran', () => {
    expect(says(question, settle({}))).toEqual([]);
    expect(says(question, settle({ how: 'withdrawn', by: undefined }))).toEqual([]);
  });

  it.each<[string, readonly EntryBody[], string]>([
    ['of a call that does not run', [written(ask({ call: '1/b' }))], 'which does not run'],
    ['asked twice', [question, question], 'a second time'],
    ['settled twice', [question, settle({}), settle({})], 'a second time'],
    ['that was never asked', [settle({})], 'which was never asked'],
    ['answered by another person', [question, settle({ by: 'ZOE' })], 'not from the requester'],
  ])('finds an inquiry %s', (_what, entries, words) => {
    expect(says(...entries)).toEqual([expect.stringContaining(words)]);
  });
});
