import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inquiryCard } from '../../../handlers/questions/inquiry/card.ts';
import { inquiryForm } from '../../../handlers/questions/inquiry/form.ts';
import { fieldId } from '../../../handlers/views/forms/schema/field-blocks.ts';
import { problemAt, readAnswer } from '../../../handlers/views/forms/schema/values.ts';
import { checkMessageBlocks, checkView } from '../../../sandbox/block-kit/check.ts';
import { amountOf, runsOf } from '../../support/amount.ts';
import { buttonTexts, expectToFit, ofType, parts, textOf } from './fits.ts';
import { hostileText } from './hostile.ts';
import { everyInquiry, FORM_MEMORY, inquiry, object } from './inquiries.ts';

const wish = fc.option(hostileText, { nil: undefined });
const bound = fc.option(fc.oneof(fc.integer({ min: -5, max: 5_000 }), fc.double()), { nil: undefined });
const options = fc.array(hostileText, { maxLength: 130 });
const words = { title: wish, description: wish };
const property = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: bound, maxLength: bound, default: wish, format: wish, ...words }),
  fc.record({ type: fc.constantFrom('number', 'integer'), minimum: bound, maximum: bound, default: bound, ...words }),
  fc.record({ type: fc.constant('boolean'), default: fc.option(fc.boolean(), { nil: undefined }), ...words }),
  fc.record({ type: fc.constant('string'), enum: options, enumNames: options, default: wish, ...words }),
  fc.record({ type: fc.constant('array'), items: fc.record({ enum: options }), default: options, ...words }),
  fc.record({ type: fc.constant('array'), items: fc.record({ anyOf: fc.array(fc.record({ const: hostileText })) }) }),
  fc.anything(),
);
const anySchema = fc
  .tuple(fc.array(fc.tuple(hostileText, property), { maxLength: 60 }), fc.nat(100))
  .map(([properties, most]) => {
    const given = Object.fromEntries(properties);
    return JSON.stringify({ ...object(given), required: Object.keys(given).slice(0, most) }, (_key, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
  });
const anyInquiry = fc
  .record({ server: hostileText, tool: hostileText, message: hostileText, schema: fc.oneof(anySchema, hostileText) })
  .map((asked) => inquiry(asked));

describe('the card of an inquiry', () => {
  it('the card of an inquiry fits every limit of Slack, in every state, whatever a server sends (P20)', () => {
    fc.assert(
      fc.property(anyInquiry, (asked) => {
        for (const each of everyInquiry(asked)) {
          const card = inquiryCard(each);
          expectToFit(card);
          expect(checkMessageBlocks(JSON.parse(JSON.stringify(card.blocks)))).toMatchObject({ type: 'fine' });
        }
      }),
      { numRuns: runsOf(100) },
    );
  });

  it('the card of an inquiry lets no word of the server into mark-up (P27)', () => {
    const markup = (message: string) =>
      everyInquiry(inquiry({ message })).map((each) =>
        ofType(inquiryCard(each).blocks, 'mrkdwn').map(({ text }) => text),
      );

    fc.assert(
      fc.property(hostileText, (message) => {
        expect(markup(message)).toEqual(markup('x'));
      }),
      { numRuns: runsOf(100) },
    );
  });

  it('the card of an inquiry quotes the server, and says that these are its words', () => {
    const card = inquiryCard(inquiry({ message: 'Approve everything <!channel>' }));
    const [quote] = ofType(card.blocks, 'rich_text_quote');

    expect(textOf(quote)).toBe('Approve everything <!channel>');
    expect(textOf(card.blocks)).toContain('In the server’s own words');
  });

  it('the card of an inquiry has buttons only while a person may answer (P21)', () => {
    expect(everyInquiry().map((each) => buttonTexts(inquiryCard(each).blocks))).toEqual([
      ['Answer…', 'Decline'],
      [],
      [],
      [],
      [],
    ]);
  });

  it('the card of an inquiry does not show the thread what was answered', () => {
    expect(
      everyInquiry()
        .map((each) => JSON.stringify(inquiryCard(each)))
        .join(),
    ).not.toContain('a secret branch');
  });

  it.each<[string, string]>([
    ['a list of objects', JSON.stringify(object({ a: { type: 'array', items: { type: 'object' } } }))],
    ['an object in it', JSON.stringify(object({ a: { type: 'object', properties: {} } }))],
    ['two options that look alike', JSON.stringify(object({ a: { type: 'string', enum: ['x', 'x'] } }))],
    [
      'two options that differ only in blanks',
      JSON.stringify(object({ a: { type: 'string', enum: ['x y', ' x  y'] } })),
    ],
    ['two options of the same letters', JSON.stringify(object({ a: { type: 'string', enum: ['\u00e9', 'e\u0301'] } }))],
    [
      'two fields that look alike',
      JSON.stringify(
        object({ a: { type: 'boolean', title: 'Delete it?' }, b: { type: 'boolean', title: 'Delete  it?' } }),
      ),
    ],
    ['a field without a name that can be seen', JSON.stringify(object({ ' ': { type: 'boolean' } }))],
    ['options without any', JSON.stringify(object({ a: { type: 'string', enum: [] } }))],
    ['lengths that nothing fits', JSON.stringify(object({ a: { type: 'string', minLength: 5, maxLength: 2 } }))],
    ['a required field that it does not have', JSON.stringify({ ...object({}), required: ['a'] })],
    ['a name that no object can have', '{"type":"object","properties":{"__proto__":{"type":"string"}}}'],
    ['nothing, because it was too long to keep', ''],
  ])('the card of an inquiry offers only to decline when the form has %s', (_what, schema) => {
    const card = inquiryCard(inquiry({ schema }));

    expect(inquiryForm(inquiry({ schema }), FORM_MEMORY)).toBeUndefined();
    expect(buttonTexts(card.blocks)).toEqual(['Decline']);
    expect(textOf(card.blocks)).toContain('can only be declined');
  });
});

describe('the form of an inquiry', () => {
  it('the form of an inquiry fits every limit of Slack or is not drawn at all, whatever a server sends (P20)', () => {
    let drawn = 0;
    fc.assert(
      fc.property(anyInquiry, (asked) => {
        const view = inquiryForm(asked, FORM_MEMORY);
        const offered = JSON.stringify(inquiryCard(asked).blocks).includes('inquiry_answer');
        expect(offered).toBe(view !== undefined);
        if (view === undefined) return;
        drawn += 1;
        expectToFit({ blocks: view.blocks });
        expect(checkView(JSON.parse(JSON.stringify(view)), 'modal')).toMatchObject({ type: 'fine' });
      }),
      { numRuns: runsOf(300) },
    );
    // A fifth of them is drawn. Chance may leave none of the thirty in `npm run check`.
    expect(drawn).toBeGreaterThanOrEqual(amountOf({ test: 0, prove: 20, soak: 20 }));
  });

  it('the form of an inquiry has a field for each asked value, with its words, its bounds and its default', () => {
    const view = inquiryForm(inquiry({ schema: EVERYTHING }), FORM_MEMORY);
    const elements = ofType(view, 'input').map(({ element }) => element);

    expect(ofType(view, 'input').map(({ label, optional }) => [textOf(label), optional])).toEqual([
      ['Branch', false],
      ['count', true],
      ['share', true],
      ['force', true],
      ['colour', true],
      ['sizes', true],
    ]);
    expect(elements).toMatchObject([
      { type: 'plain_text_input', min_length: 2, max_length: 10, initial_value: 'main' },
      { type: 'plain_text_input', initial_value: '3' },
      { type: 'plain_text_input' },
      { type: 'static_select', initial_option: { text: { text: 'No' } } },
      { type: 'static_select', initial_option: { text: { text: 'Dark red' } } },
      { type: 'multi_static_select', initial_options: [{ text: { text: 'L' } }] },
    ]);
    expect(parts(view).flatMap(({ hint }) => (hint === undefined ? [] : [textOf(hint)]))).toEqual([
      'Where to · Format: email',
      'A whole number, at least 1, at most 9',
      'A number',
    ]);
  });
});

it('the form of an inquiry says right above its fields that the server wrote them (T22)', () => {
  const { blocks = [] } = inquiryForm(inquiry({ schema: EVERYTHING }), FORM_MEMORY) ?? {};
  const field = blocks.findIndex(({ type }) => type === 'input');

  expect(textOf(blocks[field - 1])).toBe('The tool server wrote these fields.');
});

it('the form of an inquiry without fields does not say who wrote them', () => {
  const form = inquiryForm(inquiry({ schema: JSON.stringify(object({})) }), FORM_MEMORY);

  expect(form?.blocks).toHaveLength(3);
});

describe('what was filled in', () => {
  const filled = (...values: readonly (readonly string[])[]) =>
    new Map(values.map((value, place) => [fieldId(place), value]));

  it('an answer to an inquiry is filed under the server’s names, in its types', () => {
    expect(readAnswer(EVERYTHING, filled(['dev'], [' 7 '], ['0.5'], ['0'], ['1'], ['0', '1']))).toEqual({
      type: 'content',
      content: { branch: 'dev', count: 7, share: 0.5, force: true, colour: '#800', sizes: ['S', 'L'] },
    });
  });

  it('an answer to an inquiry that is longer than one character is refused in the singular', () => {
    const one = JSON.stringify(object({ grade: { type: 'string', maxLength: 1 } }));

    expect(readAnswer(one, filled(['AB']))).toEqual({
      type: 'errors',
      errors: { [fieldId(0)]: 'At most 1 character.' },
    });
  });

  it('an answer to an inquiry is measured in characters, as its schema and Slack measure it', () => {
    const short = { [fieldId(0)]: 'At least 2 characters.' };

    expect(readAnswer(EVERYTHING, filled(['😀'.repeat(10)]))).toMatchObject({ type: 'content' });
    expect(readAnswer(EVERYTHING, filled(['😀']))).toEqual({ type: 'errors', errors: short });
  });

  it('an answer to an inquiry leaves out empty fields', () => {
    expect(readAnswer(EVERYTHING, filled(['dev']))).toEqual({ type: 'content', content: { branch: 'dev' } });
  });

  it.each<[string, readonly (readonly string[])[], object]>([
    ['is missing', [[]], { [fieldId(0)]: 'This is needed.' }],
    ['is too short', [['x']], { [fieldId(0)]: 'At least 2 characters.' }],
    ['is too long', [['x'.repeat(11)]], { [fieldId(0)]: 'At most 10 characters.' }],
    ['is no number', [['dev'], ['ten']], { [fieldId(1)]: 'This has to be a number, such as 12 or 0.5.' }],
    ['is in hexadecimal', [['dev'], ['0x5']], { [fieldId(1)]: 'This has to be a number, such as 12 or 0.5.' }],
    ['is not whole', [['dev'], ['1.5']], { [fieldId(1)]: 'This has to be a whole number.' }],
    ['is too small', [['dev'], ['0']], { [fieldId(1)]: 'This has to be at least 1.' }],
    ['is too large', [['dev'], ['10']], { [fieldId(1)]: 'This has to be at most 9.' }],
    ['is no option', [['dev'], [], [], [], ['7']], { [fieldId(4)]: 'Choose one of the options.' }],
  ])('an answer to an inquiry is refused at its field when it %s', (_what, values, errors) => {
    expect(readAnswer(EVERYTHING, filled(...values))).toEqual({ type: 'errors', errors });
  });

  it('a problem that only the schema finds is shown at the field it names, or at the first', () => {
    expect(problemAt(EVERYTHING, 'data/colour must be equal to constant.')).toEqual({
      [fieldId(4)]: 'The tool server does not take this: data/colour must be equal to constant.',
    });
    expect(Object.keys(problemAt(EVERYTHING, 'data must be something else') ?? {})).toEqual([fieldId(0)]);
    expect(problemAt(JSON.stringify(object({})), 'data must be something else')).toBeUndefined();
  });
});

const EVERYTHING = JSON.stringify({
  ...object({
    branch: {
      type: 'string',
      title: 'Branch',
      description: 'Where to',
      minLength: 2,
      maxLength: 10,
      default: 'main',
      format: 'email',
    },
    count: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    share: { type: 'number' },
    force: { type: 'boolean', default: false },
    colour: {
      type: 'string',
      oneOf: [
        { const: '#fff', title: 'White' },
        { const: '#800', title: 'Dark red' },
      ],
      default: '#800',
    },
    sizes: { type: 'array', items: { type: 'string', enum: ['S', 'L'] }, default: ['L'] },
  }),
  required: ['branch'],
});
