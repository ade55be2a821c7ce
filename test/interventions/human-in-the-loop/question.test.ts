import { describe, expect, it } from 'vitest';
import { buildQuestion, type QuestionParts, questionText } from '../../../interventions/human-in-the-loop/question.ts';

const parts: QuestionParts = { tool: 't', input: { a: 1 }, handler: 'gate', previewCharacters: 20 };
const bare = {
  kind: 'tool-call',
  tool: 't',
  input: { a: 1 },
  preview: '{"a":1}',
  hiddenCharacters: 0,
  handler: 'gate',
};

describe('a question', () => {
  it('contains what is known and nothing else (BEY-39)', () => {
    expect(buildQuestion(parts)).toStrictEqual(bare);
    const more = { risk: 'It deletes.', requester: 'ANN', expiresAtMs: 5, answers: ['keep', 'drop'] };
    expect(buildQuestion({ ...parts, ...more })).toStrictEqual({ ...bare, ...more });
  });

  it('in words gives the risk, and counts what is not shown (BEY-39)', () => {
    expect(questionText(buildQuestion(parts))).toBe(`The tool "t" needs a person's approval.\nInput: {"a":1}`);
    expect(questionText(buildQuestion({ ...parts, input: 'x'.repeat(23), risk: 'It deletes.' }))).toBe(
      `The tool "t" needs a person's approval. It deletes.\nInput: ${'x'.repeat(20)} (+ 3 characters)`,
    );
    expect(questionText(buildQuestion({ ...parts, input: 'x'.repeat(21) }))).toMatch(/ \(\+ 1 character\)$/);
  });

  it('shows a given text in place of the input (BEY-39)', () => {
    const question = buildQuestion({ ...parts, redact: (tool) => ({ hidden: tool }) });

    expect(question).toMatchObject({ input: { hidden: 't' }, preview: '{"hidden":"t"}' });
  });

  it('is cut before a sign that does not fit whole, and counts it as hidden', () => {
    const question = buildQuestion({ ...parts, input: 'ab🙂cd', previewCharacters: 3 });

    expect(question).toMatchObject({ preview: 'ab', hiddenCharacters: 4 });
    expect(buildQuestion({ ...parts, input: 'ab🙂cd', previewCharacters: 4 }).preview).toBe('ab🙂');
  });
});
