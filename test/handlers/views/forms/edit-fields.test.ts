import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editFields, editProblemAt, readEdit } from '../../../../handlers/views/forms/edit-fields.ts';
import { editModal } from '../../../../handlers/views/forms/edit-modal.ts';
import { fieldId } from '../../../../handlers/views/forms/schema/field-blocks.ts';
import { visible } from '../../../../handlers/views/kit/text.ts';
import { MEMORY } from '../../payloads.ts';
import { expectToFit, ofType } from '../fits.ts';
import { hostileText } from '../hostile.ts';
import { pending } from '../records.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    service: { type: 'string', enum: ['payments', 'search'] },
    note: { type: 'string' },
    times: { type: 'number' },
    force: { type: 'boolean' },
  },
  required: ['service', 'force'],
};
const schema = JSON.stringify(SCHEMA);
const names = Object.keys(SCHEMA.properties);
const input = (note: string) => ({ service: 'search', note, times: 2.5, force: false });

/** The fields as Slack sends them when a person changes nothing. */
function untouched(json: string): ReadonlyMap<string, readonly string[]> {
  const { blocks } = editModal(pending({ input: json }), MEMORY, SCHEMA);
  return new Map(
    ofType(blocks, 'input').map((block): [string, readonly string[]] => {
      const element = JSON.parse(JSON.stringify(block.element));
      const value = element.initial_option?.value ?? element.initial_value;
      return [String(block.block_id), value === undefined ? [] : [value]];
    }),
  );
}

describe('an input in fields', () => {
  it('an input in fields means the same, whatever is in it, and is JSON where it could not (P26)', () => {
    fc.assert(
      fc.property(hostileText, (note) => {
        const json = JSON.stringify(input(note));
        const fields = editFields(json, schema);
        const plain = note !== '' && visible(note) === note && note.length <= 3_000;
        expect(fields !== undefined).toBe(plain);
        const view = editModal(pending({ input: json }), MEMORY, SCHEMA);
        expectToFit({ blocks: view.blocks });
        if (!plain) {
          expect(ofType(view.blocks, 'input').map(({ block_id }) => block_id)).toEqual(['input']);
          return;
        }
        const read = readEdit(schema, names, untouched(json));
        expect(read.type === 'input' ? JSON.parse(read.json) : read).toEqual(input(note));
      }),
    );
  });

  it('an input in fields leaves out a default of the schema that was not asked for', () => {
    const json = JSON.stringify({ service: 'payments', force: true });

    expect(readEdit(schema, names, untouched(json))).toEqual({ type: 'input', json });
  });

  it.each([
    ['a member that the tool does not name', { ...input('x'), other: 1 }],
    ['a value of another kind', { ...input('x'), times: '2.5' }],
    ['an option that there is not', { ...input('x'), service: 'mail' }],
    ['a list', [1]],
  ])('an input that does not fit into fields is edited as JSON: %s', (_what, value) => {
    expect(editFields(JSON.stringify(value), schema)).toBeUndefined();
  });

  it.each([
    ['an option that ends in a blank', { service: { type: 'string', enum: ['mail '] } }, { service: 'mail ' }],
    ['a name with two blanks', { 'a  b': { type: 'number' } }, { 'a  b': 1 }],
    ['a name that is too long to be read', { ['x'.repeat(301)]: { type: 'number' } }, { ['x'.repeat(301)]: 1 }],
    ['a name without a letter', { ' ': { type: 'number' } }, { ' ': 1 }],
  ])(
    'an input is edited as JSON where a person would not see all of %s in its fields (P18)',
    (_what, properties, value) => {
      expect(editFields(JSON.stringify(value), JSON.stringify({ type: 'object', properties }))).toBeUndefined();
    },
  );

  it('an edited input is refused with more digits than a number keeps, and when the tool has other fields by now (P18)', () => {
    const filled = new Map([...untouched(JSON.stringify(input('x'))), [fieldId(2), ['0.12345678901234567']]] as const);

    expect(readEdit(schema, names, filled)).toMatchObject({
      type: 'errors',
      errors: { [fieldId(2)]: expect.stringMatching('exactly') },
    });
    expect(readEdit(schema, names.slice(1), filled)).toEqual({ type: 'changed' });
  });

  it.each(['1e-400', '-1e-400', '1.23456789e-320', '9007199254740993', '0.12345678901234567'])(
    'a field of an edited input refuses the number %s, which would become another one (P18)',
    (typed) => {
      const filled = new Map([...untouched(JSON.stringify(input('x'))), [fieldId(2), [typed]]] as const);

      expect(readEdit(schema, names, filled)).toMatchObject({
        type: 'errors',
        errors: { [fieldId(2)]: expect.stringMatching('exactly') },
      });
    },
  );

  it.each(['1.50', '+2', '.5', '5.', '0.0', '1E+2', '5e-324', '100000000000000000000'])(
    'a field of an edited input takes the number %s, which is kept as it is',
    (typed) => {
      const filled = new Map([...untouched(JSON.stringify(input('x'))), [fieldId(2), [typed]]] as const);

      expect(readEdit(schema, names, filled)).toMatchObject({ type: 'input' });
    },
  );

  it('an edited input shows the tool’s problem at the field that it names', () => {
    expect(editProblemAt(names, 'deploy does not take this: times: Too many.')).toHaveProperty(fieldId(2));
    expect(editProblemAt(names, 'Nothing is changed.')).toHaveProperty(fieldId(0));
  });
});
