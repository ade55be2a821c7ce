import { describe, expect, it } from 'vitest';
import { safeAnswer, whyNoAnswer } from '../../../app/approvals/form-answers.ts';
import { LIMITS } from '../../../app/limits.ts';
import { createRedaction } from '../../../app/secrets/redaction.ts';
import { createSafeWords } from '../../../app/secrets/said.ts';
import { schemaProblem } from '../../../app/tools/mcp/call/elicitation.ts';
import { ANN } from '../../../sandbox/people.ts';
import { call, inProcess } from '../../support/in-process/index.ts';

const redaction = createRedaction({ settings: { keys: [], patterns: [] }, key: new Uint8Array(32) });
const safe = createSafeWords(redaction, () => undefined);
const about = { tool: 'restart', input: '{"password":"hunter2-hunter2"}' };
const FORM = { wants: { choices: [], form: '{"type":"object"}' } };

describe('an answer that is written down', () => {
  it('stores no secret of the input', async () => {
    const said = await safeAnswer(safe, {}, about, 'Use hunter2-hunter2 for it.');

    expect(said).toMatch(/^Use .*hidden.* for it\.$/);
    expect(said).not.toContain('hunter2');
  });

  it('to a form hides each secret field, and still fits the form', async () => {
    const said = await safeAnswer(safe, FORM, about, '{"password":"correct horse","service":"mail"}');

    expect(JSON.parse(said)).toEqual({ password: expect.stringContaining('hidden'), service: 'mail' });
  });

  it('is refused where its secrets are so short that hiding them makes it too long, and so loses no word', async () => {
    const short = { tool: 'restart', input: '{"password":"hunter22"}' };
    const typed = 'hunter22 or '.repeat(LIMITS.answerChars / 12);
    const said = await safeAnswer(safe, {}, short, typed);

    expect(typed.length).toBe(LIMITS.answerChars);
    expect(said.length).toBeGreaterThan(LIMITS.answerChars);
    expect(await whyNoAnswer(async () => undefined, {}, said)).toMatch('too long to be kept');
    expect(await whyNoAnswer(async () => undefined, {}, typed)).toBeUndefined();
  });
});

describe('an answer to a form', () => {
  const why = (answer: string, schemaProblem?: string) => whyNoAnswer(async () => schemaProblem, FORM, answer);

  it('is taken when it gives exactly one meaning that the form allows', async () => {
    expect(await why('{"service":"mail"}')).toBeUndefined();
    expect(await whyNoAnswer(async () => 'It is never asked.', {}, 'mail')).toBeUndefined();
  });

  it.each([
    ['is no JSON', 'mail'],
    ['is JSON of another kind', '["mail"]'],
    ['is not written as the form writes it', '{ "service": "mail" }'],
  ])('is refused where it %s', async (_what, answer) => {
    expect(await why(answer)).toBe('This is no answer to the form. Open it again from the card.');
  });

  it('is refused with the form’s own reason, or when it is too long to be stored', async () => {
    expect(await why('{"service":"mail"}', 'service is no branch')).toBe(
      'The form does not take this: service is no branch',
    );
    const longest = JSON.stringify({ service: 'x'.repeat(LIMITS.answerChars - 14) });
    expect(longest).toHaveLength(LIMITS.answerChars);
    expect(await why(longest)).toBeUndefined();
    expect(await why(`${longest} `)).toContain('too long to be kept');
  });
});

it('an answer that does not fit the form of its question is not recorded, and one that fits is (P57)', async () => {
  const form = { type: 'object', properties: { times: { type: 'integer', maximum: 3 } }, required: ['times'] };
  const changes = { schemaProblem: async (...asked: Parameters<typeof schemaProblem>) => schemaProblem(...asked) };
  const bot = await inProcess({ tools: [], changes });
  bot.model.says(call('ask_person', { question: 'How often?', form }));
  await bot.mention(ANN, 'restart payments');

  for (const answer of ['{"times":4}', '{"times":"3"}', '{}', 'three times'])
    expect(await bot.press(ANN, bot.card(), 'answer', { answer })).toBe('unfit');
  expect(bot.card().status).toBe('pending');
  expect(await bot.press(ANN, bot.card(), 'answer', { answer: '{"times":3}' })).toBe('decided');
});
