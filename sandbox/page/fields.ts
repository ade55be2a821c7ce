import { type Chosen, initialValue } from '../acts/values.ts';
import type { Interactive } from '../block-kit/elements.ts';
import type { StateValues } from '../records.ts';
import { div, type Html, h, span } from './kit/element.ts';

/** Menus and fields, as the browser's own controls. */

/** Where a control stands, so that its use reaches the right message or view. */
export interface ControlAddress {
  /** `message:C…:ts`, `ephemeral:E…` or `view:V…`. */
  readonly target: string;
  readonly blockId?: string;
  /** The message, as in `message 3`: the same button of two messages then has two names. */
  readonly of?: string;
  /** Only in forms: what was filled in before, what is wrong, and which words explain the field. */
  readonly values?: StateValues;
  readonly errors?: { readonly [blockId: string]: string };
  readonly describedBy?: string;
  readonly inForm?: boolean;
}

export const INPUT_TYPES = {
  number_input: 'text',
  email_text_input: 'email',
  url_text_input: 'url',
  datepicker: 'date',
  timepicker: 'time',
  datetimepicker: 'datetime-local',
} as const;

type Field = Exclude<Interactive, { type: 'button' | 'icon_button' | 'feedback_buttons' | 'overflow' }>;
export type Choice = readonly [value: string, text: string];

export function select(
  place: ControlAddress,
  element: Field,
  choices: readonly Choice[],
  name: string,
  press: string,
): Html {
  const multiple = element.type.startsWith('multi_');
  const placeholder = ('placeholder' in element ? element.placeholder?.text : undefined) ?? 'Choose';
  const chosen = current(place, element);
  return h(
    'select',
    {
      ...fieldOf(place, element, name),
      multiple,
      defaultValue: multiple ? chosen : (chosen[0] ?? ''),
      ...(place.inForm === true ? {} : { 'data-choose': press }),
    },
    multiple ? null : h('option', { value: '' }, placeholder),
    ...choices.map(([value, text]) => h('option', { value, key: value }, text)),
  );
}

export function choices(
  place: ControlAddress,
  element: Extract<Interactive, { type: 'radio_buttons' | 'checkboxes' }>,
  name: string,
  press: string,
): Html {
  const type = element.type === 'checkboxes' ? 'checkbox' : 'radio';
  const chosen = current(place, element);
  const field = `${place.blockId ?? ''}|${element.action_id ?? ''}`;
  return h(
    'fieldset',
    {
      'aria-label': nameIn(place, name),
      'aria-describedby': place.describedBy || undefined,
      ...(place.inForm === true ? {} : { 'data-choose': press }),
    },
    ...element.options.map(({ text, value, description }) =>
      h(
        'label',
        { key: value, className: 'choice' },
        h('input', {
          type,
          value,
          name: field,
          'data-field': place.inForm === true ? place.blockId : undefined,
          defaultChecked: chosen.includes(value),
        }),
        div('', text.text, description === undefined ? null : span('hint', description.text)),
      ),
    ),
  );
}

export function textField(place: ControlAddress, element: Field, name: string, type: string): Html {
  return h('input', {
    ...fieldOf(place, element, name),
    type,
    defaultValue: current(place, element)[0],
    placeholder: 'placeholder' in element ? element.placeholder?.text : undefined,
    maxLength: 'max_length' in element ? element.max_length : undefined,
  });
}

export function textArea(
  place: ControlAddress,
  element: Extract<Interactive, { type: 'plain_text_input' }>,
  name: string,
): Html {
  return h('textarea', {
    ...fieldOf(place, element, name),
    rows: 5,
    maxLength: element.max_length,
    defaultValue: current(place, element)[0],
    placeholder: element.placeholder?.text,
  });
}

export function timeField(
  place: ControlAddress,
  element: Extract<Interactive, { type: 'datepicker' | 'timepicker' | 'datetimepicker' }>,
  name: string,
  press: string,
): Html {
  return h('input', {
    ...fieldOf(place, element, name),
    type: INPUT_TYPES[element.type],
    defaultValue: current(place, element)[0],
    ...(place.inForm === true ? {} : { 'data-choose': press }),
  });
}

function fieldOf(place: ControlAddress, element: Field, name: string) {
  return {
    key: element.action_id,
    className: 'input',
    'aria-label': nameIn(place, name),
    'aria-describedby': place.describedBy || undefined,
    'aria-invalid': place.errors?.[place.blockId ?? ''] === undefined ? undefined : true,
    autoFocus: element.focus_on_load === true ? true : undefined,
    'data-field': place.inForm === true ? place.blockId : undefined,
  };
}

/** The name of a control begins with what is written on it. */
export function nameIn({ of }: Pick<ControlAddress, 'of'>, name: string): string {
  return of === undefined ? name : `${name}, ${of}`;
}

/** What is filled in, or stands there from the start. */
function current(place: ControlAddress, element: Field): readonly string[] {
  const filled = place.values?.[place.blockId ?? '']?.[element.action_id ?? ''];
  const value: Chosen = filled === undefined ? initialValue(element) : chosenIn(filled);
  return typeof value === 'string' ? [value] : value;
}

function chosenIn(filled: { readonly [name: string]: unknown }): Chosen {
  const { type: _, ...rest } = filled;
  const [value] = Object.values(rest);
  if (Array.isArray(value)) return value.map(idOf);
  return idOf(value);
}

function idOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'value' in value) return String(value.value);
  return typeof value === 'string' ? value : '';
}
