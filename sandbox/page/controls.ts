import { optionsOf } from '../acts/values.ts';
import type { Interactive } from '../block-kit/elements.ts';
import type { Confirm } from '../block-kit/text.ts';
import type { World } from '../world.ts';
import { choices, current, fieldOf, INPUT_TYPES, type Place, select, textField } from './fields.ts';
import { type Html, h, span } from './kit/element.ts';
import { icon } from './kit/icons.ts';
import { channelName, personName } from './kit/names.ts';

/** One button, menu or field. */
export function control(world: World, place: Place, element: Interactive, label?: string): Html {
  const press = pressOf(place, element);
  const name = label ?? element.action_id ?? element.type;
  switch (element.type) {
    case 'button':
      return h(
        'button',
        {
          key: element.action_id,
          type: 'button',
          className: ['button', element.style ?? ''].join(' ').trim(),
          'aria-label': element.accessibility_label,
          'data-press': press,
          'data-url': element.url,
        },
        element.text.text,
      );
    case 'icon_button':
      return h(
        'button',
        { key: element.action_id, type: 'button', className: 'button', 'data-press': press },
        element.text.text,
      );
    case 'feedback_buttons': {
      const one = (button: typeof element.positive_button, sign: Html) =>
        h(
          'button',
          {
            type: 'button',
            className: 'icon',
            title: button.text.text,
            'aria-label': button.accessibility_label ?? button.text.text,
            'data-press': press,
            'data-option': button.value,
          },
          sign,
        );
      return span('feedback', one(element.positive_button, icon('good')), one(element.negative_button, icon('bad')));
    }
    case 'overflow':
      return h(
        'button',
        {
          key: element.action_id,
          type: 'button',
          className: 'button menu',
          'aria-label': label === undefined ? 'More options' : `More options for ${label}`,
          'aria-haspopup': 'menu',
          'data-press': press,
          'data-menu': JSON.stringify(element.options.map(({ text, value, url }) => ({ text: text.text, value, url }))),
        },
        icon('dots'),
      );
    case 'static_select':
    case 'multi_static_select':
    case 'external_select':
      return select(
        place,
        element,
        optionsOf(element).map(({ value, text }) => [value, text.text]),
        name,
        press,
      );
    case 'users_select':
    case 'multi_users_select': {
      const people = [...world.people.values()].filter(
        ({ isBot, isDeactivated, id }) => !isBot && !isDeactivated && id !== 'USLACKBOT',
      );
      return select(
        place,
        element,
        people.map(({ id }) => [id, personName(world, id)]),
        name,
        press,
      );
    }
    case 'conversations_select':
    case 'channels_select': {
      const channels = [...world.channels.values()].filter(({ type }) => type === 'channel');
      return select(
        place,
        element,
        channels.map(({ id }) => [id, channelName(world, id)]),
        name,
        press,
      );
    }
    case 'radio_buttons':
    case 'checkboxes':
      return choices(place, element, name, press);
    case 'plain_text_input':
      return element.multiline === true
        ? h('textarea', {
            ...fieldOf(place, element, name),
            rows: 5,
            maxLength: element.max_length,
            defaultValue: current(place, element)[0],
            placeholder: element.placeholder?.text,
          })
        : textField(place, element, name, 'text');
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return textField(place, element, name, INPUT_TYPES[element.type]);
    case 'datepicker':
    case 'timepicker':
    case 'datetimepicker':
      return h('input', {
        ...fieldOf(place, element, name),
        type: INPUT_TYPES[element.type],
        defaultValue: current(place, element)[0],
        ...(place.inForm === true ? {} : { 'data-choose': press }),
      });
  }
}

function pressOf(place: Place, element: Interactive): string {
  const confirm = 'confirm' in element ? element.confirm : undefined;
  return JSON.stringify({
    target: place.target,
    blockId: place.blockId,
    actionId: element.action_id,
    ...(element.type === 'button' && element.value !== undefined ? { value: element.value } : {}),
    ...(confirm === undefined ? {} : { confirm: confirmOf(confirm) }),
  });
}

function confirmOf({ title, text, confirm, deny, style }: Confirm) {
  return {
    title: title?.text ?? 'Are you sure?',
    text: text.text,
    confirm: confirm?.text ?? 'Yes',
    deny: deny?.text ?? 'No',
    style: style ?? 'primary',
  };
}
