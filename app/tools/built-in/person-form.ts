import { z } from 'zod';

/**
 * A form that the agent may put to a person: a flat JSON Schema with only what a modal can show and read back. Anything
 * else goes back to the model as a problem with its input, and no person is asked.
 */

const MOST_FIELDS = 15;
const MOST_OPTIONS = 50;
const OPTION_CHARS = 70;
const TEXT_CHARS = 1_000;

/** Slack shows a row of blanks as one, some letters have two spellings, and a form draws some emoji in one way alone. */
export const seenAs = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\uFE0F|\u200C|\u200D|[\u{E0020}-\u{E007F}]/gu, '')
    .replace(/\s+/g, ' ');

const words = (most: number) => z.string().trim().min(1).max(most);
const shown = { title: words(100).optional(), description: words(150).optional() };
const bound = z.number().optional();

const Property = z.discriminatedUnion('type', [
  z.strictObject({
    ...shown,
    type: z.literal('string'),
    enum: z
      .array(words(OPTION_CHARS).regex(/^[\x20-\x7e\p{L}\p{N}\p{P}\p{Sc}]+$/u, 'Only visible characters'))
      .min(1)
      .max(MOST_OPTIONS)
      .refine((options) => new Set(options.map(seenAs)).size === options.length, 'Two of them look alike')
      .optional()
      .describe('What can be chosen from; left out, they write'),
    maxLength: z.number().int().min(1).max(TEXT_CHARS).optional(),
  }),
  z
    .strictObject({ ...shown, type: z.enum(['number', 'integer']), minimum: bound, maximum: bound })
    .refine(({ type, minimum: least = -Infinity, maximum: most = Infinity }) => {
      return type === 'integer' ? Math.ceil(least) <= Math.floor(most) : least <= most;
    }, 'No number is between its minimum and its maximum'),
  z.strictObject({ ...shown, type: z.literal('boolean') }),
]);

export const PersonForm = z
  .strictObject({
    type: z.literal('object'),
    properties: z.record(z.string().regex(/^[A-Za-z]\w{0,39}$/), Property).describe('One field each, flat'),
    required: z.array(z.string()).default([]),
  })
  .refine(({ properties }) => Object.keys(properties).length > 0, 'It has no field')
  .refine(({ properties }) => Object.keys(properties).length <= MOST_FIELDS, `More than ${MOST_FIELDS} fields`)
  .refine(({ properties }) => {
    const labels = Object.entries(properties).map(([name, { title = name }]) => title);
    return new Set(labels.map(seenAs)).size === labels.length;
  }, 'Two fields look alike')
  .refine(
    ({ properties, required }) => required.every((name) => Object.hasOwn(properties, name)),
    'A field is required that is not among its properties',
  );
export type PersonForm = z.infer<typeof PersonForm>;

/** The schema that is stored and that answers are checked by. It takes no other fields. */
export function formSchema({ properties, required }: PersonForm): string {
  return JSON.stringify({ type: 'object', properties, required, additionalProperties: false });
}
