import type { Button, Interactive } from '../block-kit/elements.ts';
import { type ControlAddress, nameIn } from './fields.ts';
import { type Html, h, span } from './kit/element.ts';
import { icon } from './kit/icons.ts';

/** What can be pressed. `press` tells the browser which element of which message or form it is. */

type Place = Pick<ControlAddress, 'of'>;

export function button(element: Button, place: Place, press: string): Html {
  return h(
    'button',
    {
      key: element.action_id,
      type: 'button',
      className: ['button', element.style ?? ''].join(' ').trim(),
      'aria-label': nameIn(place, element.accessibility_label ?? element.text.text),
      'data-press': press,
      'data-url': element.url,
    },
    element.text.text,
  );
}

type IconButton = Extract<Interactive, { type: 'icon_button' }>;

export function iconButton({ action_id, text }: IconButton, place: Place, press: string): Html {
  const look = { type: 'button', className: 'button', 'aria-label': nameIn(place, text.text) };
  return h('button', { key: action_id, ...look, 'data-press': press }, text.text);
}

type FeedbackButtons = Extract<Interactive, { type: 'feedback_buttons' }>;

export function feedbackButtons(
  { positive_button, negative_button }: FeedbackButtons,
  place: Place,
  press: string,
): Html {
  return span(
    'feedback',
    feedbackButton(positive_button, place, icon('good'), press),
    feedbackButton(negative_button, place, icon('bad'), press),
  );
}

function feedbackButton(
  { text, value, accessibility_label }: FeedbackButtons['positive_button'],
  place: Place,
  sign: Html,
  press: string,
): Html {
  return h(
    'button',
    {
      type: 'button',
      className: 'icon',
      title: text.text,
      'aria-label': nameIn(place, accessibility_label ?? text.text),
      'data-press': press,
      'data-option': value,
    },
    sign,
  );
}

export function overflowMenu(
  { action_id, options }: Extract<Interactive, { type: 'overflow' }>,
  place: Place,
  press: string,
  label?: string,
): Html {
  return h(
    'button',
    {
      key: action_id,
      type: 'button',
      className: 'button menu',
      'aria-label': nameIn(place, label === undefined ? 'More options' : `More options for ${label}`),
      'aria-haspopup': 'menu',
      'data-press': press,
      'data-menu': JSON.stringify(options.map(({ text, value, url }) => ({ text: text.text, value, url }))),
    },
    icon('dots'),
  );
}
