import { given } from '../../app/given.ts';
import { optionsOf } from '../acts/values.ts';
import type { Interactive } from '../block-kit/elements.ts';
import type { ConfirmObject } from '../block-kit/text.ts';
import type { World } from '../world.ts';
import { button, feedbackButtons, iconButton, overflowMenu } from './buttons.ts';
import {
  type Choice,
  type ControlAddress,
  choices,
  INPUT_TYPES,
  select,
  textArea,
  textField,
  timeField,
} from './fields.ts';
import type { Html } from './kit/element.ts';
import { channelName, personName } from './kit/names.ts';

/** One button, menu or field. */
export function control(world: World, place: ControlAddress, element: Interactive, label?: string): Html {
  const press = pressOf(place, element);
  const name = label ?? element.action_id ?? element.type;
  switch (element.type) {
    case 'button':
      return button(element, place, press);
    case 'icon_button':
      return iconButton(element, place, press);
    case 'feedback_buttons':
      return feedbackButtons(element, place, press);
    case 'overflow':
      return overflowMenu(element, place, press, label);
    case 'static_select':
    case 'multi_static_select':
    case 'external_select':
      return select(place, element, writtenOptions(element), name, press);
    case 'users_select':
    case 'multi_users_select':
      return select(place, element, peopleToChoose(world), name, press);
    case 'conversations_select':
    case 'channels_select':
      return select(place, element, channelsToChoose(world), name, press);
    case 'radio_buttons':
    case 'checkboxes':
      return choices(place, element, name, press);
    case 'plain_text_input':
      return element.multiline === true ? textArea(place, element, name) : textField(place, element, name, 'text');
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return textField(place, element, name, INPUT_TYPES[element.type]);
    case 'datepicker':
    case 'timepicker':
    case 'datetimepicker':
      return timeField(place, element, name, press);
  }
}

const writtenOptions = (element: Parameters<typeof optionsOf>[0]): readonly Choice[] =>
  optionsOf(element).map(({ value, text }) => [value, text.text]);

function peopleToChoose(world: World): readonly Choice[] {
  return [...world.people.values()]
    .filter(({ isBot, isDeactivated, id }) => !isBot && !isDeactivated && id !== 'USLACKBOT')
    .map(({ id }) => [id, personName(world, id)]);
}

function channelsToChoose(world: World): readonly Choice[] {
  return [...world.channels.values()]
    .filter(({ type }) => type === 'channel')
    .map(({ id }) => [id, channelName(world, id)]);
}

function pressOf(place: ControlAddress, element: Interactive): string {
  const confirm = 'confirm' in element ? element.confirm : undefined;
  return JSON.stringify({
    target: place.target,
    blockId: place.blockId,
    actionId: element.action_id,
    ...(element.type === 'button' && element.value !== undefined ? { value: element.value } : {}),
    ...given({ confirm: confirm && confirmOf(confirm) }),
  });
}

function confirmOf({ title, text, confirm, deny, style }: ConfirmObject) {
  return {
    title: title?.text ?? 'Are you sure?',
    text: text.text,
    confirm: confirm?.text ?? 'Yes',
    deny: deny?.text ?? 'No',
    style: style ?? 'primary',
  };
}
