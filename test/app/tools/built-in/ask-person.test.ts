import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whyNoAnswer } from '../../../../app/approvals/form-answers.ts';
import { askPerson } from '../../../../app/tools/built-in/ask-person.ts';
import { schemaProblem } from '../../../../app/tools/mcp/index.ts';
import { answerModal } from '../../../../handlers/views/forms/answer-modal.ts';
import { readFields } from '../../../../handlers/views/forms/schema/fields.ts';
import type { Json } from '../../../../interventions/index.ts';
import { ofType } from '../../../handlers/views/fits.ts';
import { FORM_MEMORY } from '../../../handlers/views/inquiries.ts';
import { pending } from '../../../handlers/views/records.ts';

const tool = askPerson();
const form = (properties: Json, required: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  required: [...required],
});
const ask = (changes: { readonly [key: string]: Json }) => tool.parse({ question: 'How?', ...changes });
const wanted = (schema: Json) => {
  const parsed = ask({ form: schema });
  if (!parsed.ok) throw new Error(parsed.problem);
  return tool.wants?.(parsed.input);
};
const flat = form(
  {
    when: { type: 'string', enum: ['Now', 'Tonight'] },
    minutes: { type: 'integer', minimum: 1, maximum: 60 },
    tell: { type: 'boolean' },
    note: { type: 'string', maxLength: 20 },
  },
  ['when', 'minutes'],
);

describe('a form with which the agent asks a person', () => {
  it('is taken when it is flat, and can be drawn field by field', () => {
    const fields = readFields(wanted(flat)?.form ?? '');
    expect(fields?.map(({ name, kind, required }) => [name, kind.type, required])).toEqual([
      ['when', 'one-of', true],
      ['minutes', 'number', true],
      ['tell', 'yes-no', false],
      ['note', 'text', false],
    ]);
  });

  it('can be drawn whenever it is accepted (B9)', () => {
    const property = fc.oneof(
      fc.record({ type: fc.constant('string'), enum: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 }) }),
      fc.record({ type: fc.constant('string'), maxLength: fc.integer({ min: -1, max: 5_000 }) }),
      fc.record({ type: fc.constantFrom('number', 'integer'), minimum: fc.integer() }),
      fc.record({ type: fc.constantFrom('boolean', 'array', 'object') }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), property, { maxKeys: 4 }), (properties) => {
        const parsed = ask({ form: form(JSON.parse(JSON.stringify(properties))) });
        const wants = parsed.ok ? tool.wants?.(parsed.input) : undefined;
        expect(wants?.form === undefined || readFields(wants.form) !== undefined).toBe(true);
      }),
    );
  });

  it.each<[string, Json]>([
    ['a form within the form', form({ a: { type: 'object', properties: {} } })],
    ['a field of no kind we know', form({ a: { type: 'array', items: { type: 'string' } } })],
    ['no field', form({})],
    ['a required field that is not there', form({ a: { type: 'boolean' } }, ['b'])],
    ['two options that are the same', form({ a: { type: 'string', enum: ['x', 'x'] } })],
    [
      'two fields that look alike',
      form({ a: { type: 'boolean', title: 'Delete it?' }, b: { type: 'boolean', title: 'Delete  it?' } }),
    ],
    ['a field with the name of another one', form({ a: { type: 'boolean' }, b: { type: 'boolean', title: 'a' } })],
    ['a least number above the greatest', form({ a: { type: 'number', minimum: 9, maximum: 1 } })],
    ['no whole number between its bounds', form({ a: { type: 'integer', minimum: 1.2, maximum: 1.8 } })],
    ['two options that look alike', form({ a: { type: 'string', enum: ['a b', 'a  b'] } })],
    ['an option that cannot be seen', form({ a: { type: 'string', enum: ['x', 'x\u200b'] } })],
    ['a name that would be lost', form(JSON.parse('{"__proto__":{"type":"boolean"}}'))],
  ])('is refused with %s, and the model hears why', (_what, schema) => {
    expect(ask({ form: schema })).toEqual({ ok: false, problem: expect.stringMatching(/./) });
  });

  it('replaces choices', () => {
    expect(ask({ form: flat, choices: ['x'] })).toMatchObject({ ok: false });
    expect(ask({ choices: ['x'] })).toMatchObject({ ok: true });
  });
});

describe('the choices that the agent offers a person', () => {
  it.each<[string, readonly string[]]>([
    ['a line break, which would look like two of them', ['Yes\n• No']],
    ['a sign that cannot be seen', ['Yes', 'Yes\u200b']],
    ['a sign that turns the order of letters', ['Yes \u202eon']],
    ['two that are the same', ['Yes', 'Yes']],
    ['two that differ in blanks alone', ['Do it', 'Do  it']],
    ['a joiner between Latin letters', ['pay\u200cments']],
    ['two that differ in the way of drawing an emoji', ['✔️ Yes', '✔ Yes']],
    ['two that differ in a joiner', ['می‌خواهم', 'میخواهم']],
  ])('are refused with %s, and the model hears why (T22)', (_what, choices) => {
    expect(ask({ choices: [...choices] })).toEqual({ ok: false, problem: expect.stringMatching(/choice/) });
  });

  it('are refused with the form’s own choice, and the model hears why (T22)', () => {
    const { blocks } = answerModal(pending({ wants: { choices: ['Now'] } }), FORM_MEMORY);
    const [own, now] = ofType(blocks, 'radio_buttons').flatMap(
      ({ options }) => options as { text: { text: string } }[],
    );

    expect(now?.text.text).toBe('Now');
    for (const choice of [`${own?.text.text}`, `${own?.text.text.toLowerCase()}.`])
      expect(ask({ choices: ['Now', choice] })).toEqual({ ok: false, problem: expect.stringContaining('choice') });
  });

  it('are taken with letters of any script and with emoji', () => {
    const words = ['Ja, natürlich', 'いいえ', 'می‌خواهم', 'क्‍ष'];
    expect(ask({ choices: [...words, '✔️ Yes', '👩🏽‍💻 Ask Ann', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 England'] })).toMatchObject({ ok: true });
  });
});

describe('an answer to a form', () => {
  const check = async (answer: string) => {
    const wants = wanted(flat);
    return whyNoAnswer(async (...it) => schemaProblem(...it), wants === undefined ? {} : { wants }, answer);
  };

  it('is exactly the JSON that the form asks for, or none', async () => {
    expect(await check('{"minutes":5,"when":"Now"}')).toBeUndefined();
    for (const answer of [
      'Now, please.',
      '{"when":"Now"}',
      '{"minutes":0,"when":"Now"}',
      '{"minutes":5,"when":"Never"}',
      '{"minutes":5,"other":true,"when":"Now"}',
      '{"when":"Now","minutes":5}',
      `{"minutes":5,"note":"${'x'.repeat(21)}","when":"Now"}`,
    ])
      expect(await check(answer), answer).toMatch(/./);
  });
});
