import type { Button, Interactive } from '../block-kit/elements.ts';
import { type Html, h, span } from './kit/element.ts';
import { icon } from './kit/icons.ts';

/** What can be pressed. `press` tells the browser which element of which message or form it is. */

export function button(element: Button, press: string): Html {
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
}

export function iconButton({ action_id, text }: Extract<Interactive, { type: 'icon_button' }>, press: string): Html {
  return h('button', { key: action_id, type: 'button', className: 'button', 'data-press': press }, text.text);
}

type FeedbackButtons = Extract<Interactive, { type: 'feedback_buttons' }>;

export function feedbackButtons({ positive_button, negative_button }: FeedbackButtons, press: string): Html {
  return span(
    'feedback',
    feedbackButton(positive_button, icon('good'), press),
    feedbackButton(negative_button, icon('bad'), press),
  );
}

function feedbackButton(
  { text, value, accessibility_label }: FeedbackButtons['positive_button'],
  sign: Html,
  press: string,
): Html {
  return h(
    'button',
    {
      type: 'button',
      className: 'icon',
      title: text.text,
      'aria-label': accessibility_label ?? text.text,
      'data-press': press,
      'data-option': value,
    },
    sign,
  );
}

export function overflowMenu(
  { action_id, options }: Extract<Interactive, { type: 'overflow' }>,
  press: string,
  label?: string,
): Html {
  return h(
    'button',
    {
      key: action_id,
      type: 'button',
      className: 'button menu',
      'aria-label': label === undefined ? 'More options' : `More options for ${label}`,
      'aria-haspopup': 'menu',
      'data-press': press,
      'data-menu': JSON.stringify(options.map(({ text, value, url }) => ({ text: text.text, value, url }))),
    },
    icon('dots'),
  );
}
