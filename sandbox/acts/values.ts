import { elementsOf } from '../block-kit/check.ts';
import type { Interactive } from '../block-kit/elements.ts';
import type { OptionObject } from '../block-kit/text.ts';
import { type ApiJson, type ApiObject, asJson } from '../json.ts';
import type { StateValues, View } from '../records.ts';

/** What a person chose or typed, as a test or the page says it: an option's value or words, or several of them. */
export type Chosen = string | readonly string[];

/** The fields that Slack sends for what was chosen or typed in an element. */
export function fieldsFor(element: Interactive, chosen: Chosen): ApiObject {
  const one = typeof chosen === 'string' ? chosen : (chosen[0] ?? '');
  const several = typeof chosen === 'string' ? [chosen] : chosen;
  switch (element.type) {
    case 'button':
    case 'icon_button':
      return { value: element.value ?? '' };
    case 'feedback_buttons': {
      const button = [element.positive_button, element.negative_button].find(({ value }) => value === one);
      if (button === undefined) throw notOffered(one, element);
      return { value: button.value, text: asJson(button.text) };
    }
    case 'overflow':
    case 'radio_buttons':
    case 'static_select':
    case 'external_select':
      return { selected_option: optionNamed(element, one) };
    case 'checkboxes':
    case 'multi_static_select':
      return { selected_options: several.filter((value) => value !== '').map((value) => optionNamed(element, value)) };
    case 'users_select':
      return { selected_user: one };
    case 'multi_users_select':
      return { selected_users: several.filter((value) => value !== '') };
    case 'conversations_select':
      return { selected_conversation: one };
    case 'channels_select':
      return { selected_channel: one };
    case 'datepicker':
      return { selected_date: one };
    case 'timepicker':
      return { selected_time: one };
    case 'datetimepicker':
      return { selected_date_time: Number(one) };
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return { value: one === '' ? null : one };
  }
}

/** What stands in an element before a person changes it. */
export function initialValue(element: Interactive): Chosen {
  switch (element.type) {
    case 'radio_buttons':
    case 'static_select':
    case 'external_select':
      return element.initial_option?.value ?? '';
    case 'checkboxes':
    case 'multi_static_select':
      return (element.initial_options ?? []).map(({ value }) => value);
    case 'users_select':
      return element.initial_user ?? '';
    case 'multi_users_select':
      return element.initial_users ?? [];
    case 'conversations_select':
      return element.initial_conversation ?? '';
    case 'channels_select':
      return element.initial_channel ?? '';
    case 'datepicker':
      return element.initial_date ?? '';
    case 'timepicker':
      return element.initial_time ?? '';
    case 'datetimepicker':
      return element.initial_date_time === undefined ? '' : `${element.initial_date_time}`;
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return element.initial_value ?? '';
    case 'button':
    case 'icon_button':
    case 'feedback_buttons':
    case 'overflow':
      return '';
  }
}

export function optionsOf(element: Interactive): readonly OptionObject[] {
  switch (element.type) {
    case 'overflow':
    case 'radio_buttons':
    case 'checkboxes':
      return element.options;
    case 'static_select':
    case 'multi_static_select':
      return element.options ?? (element.option_groups ?? []).flatMap((group) => group.options);
    default:
      return [];
  }
}

/** Everything that stands in a view: what was touched, and what was there from the start. */
export function filledIn(view: View): StateValues {
  const blocks = view.content.blocks.flatMap((block) => {
    const kept = elementsOf(block).filter(keepsValue);
    if (kept.length === 0 || block.block_id === undefined) return [];
    const touched = view.values[block.block_id] ?? {};
    const entries = kept.flatMap((element): readonly (readonly [string, ApiObject])[] => {
      const { action_id: id } = element;
      if (id === undefined) return [];
      return [[id, touched[id] ?? { type: element.type, ...fieldsFor(element, initialValue(element)) }]];
    });
    return [[block.block_id, Object.fromEntries(entries)] as const];
  });
  return Object.fromEntries(blocks);
}

/** A button or an overflow menu holds no value after a press. */
export function keepsValue(element: Interactive): boolean {
  const { type } = element;
  return type !== 'button' && type !== 'overflow' && type !== 'icon_button' && type !== 'feedback_buttons';
}

/** An option by its value or by the words that are shown. */
function optionNamed(element: Interactive, name: string): ApiJson {
  if (name === '') return null;
  if (element.type === 'external_select') return { text: { type: 'plain_text', text: name }, value: name };
  const option = optionsOf(element).find(({ value, text }) => value === name || text.text === name);
  if (option === undefined) throw notOffered(name, element);
  return asJson(option);
}

function notOffered(name: string, element: Interactive): Error {
  const offered = optionsOf(element).map(({ text, value }) => `${text.text} (${value})`);
  return new Error(`"${name}" is not offered here. There is: ${offered.join(', ')}.`);
}
