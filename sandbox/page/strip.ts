import { div, type Html, h, span } from './kit/element.ts';

/** What the program that serves the page adds to it. The page knows nothing of that program. */
export interface Strip {
  /** A line over everything, for as long as it is true. */
  readonly notice?: string;
}

/** The line over everything. It is always there, because a screen reader announces only what changes in it. */
export function drawNotice({ notice }: Strip): Html {
  return h(
    'div',
    { className: 'notice', role: 'status', 'aria-label': 'The demo', 'data-key': 'notice' },
    notice === undefined ? null : div('said', span('pulse'), notice),
  );
}
