/** The most that a press by the right person can do. A form that follows has a row of its own. */
export type Does = 'decides' | 'stops' | 'shows';

export interface ButtonRow {
  /** What its value names. */
  readonly about: 'approval' | 'list' | 'question' | 'trust' | 'words';
  readonly does: Does;
  /** Where the bot draws it. A press from another place is refused. */
  readonly on: readonly ('message' | 'view' | 'home')[];
}

/**
 * Every button that a view can draw besides those of questions, by its id. `handlers/presses/deliveries.ts` has an answer
 * for each of them, and `test/support/every-delivery.ts` presses each of them in the name of every kind of person.
 */
export const BUTTONS = {
  approval_approve: { about: 'approval', does: 'decides', on: ['message', 'view'] },
  approval_deny: { about: 'approval', does: 'decides', on: ['message', 'view'] },
  approval_trust: { about: 'approval', does: 'decides', on: ['message'] },
  approval_answer: { about: 'approval', does: 'shows', on: ['message'] },
  /** Stands in a list of waiting questions, away from the card. */
  approval_answer_listed: { about: 'approval', does: 'shows', on: ['message', 'home'] },
  approval_on_web: { about: 'approval', does: 'shows', on: ['message', 'view'] },
  approval_again: { about: 'approval', does: 'shows', on: ['message'] },
  /** The menu of a card. Its value is a row of `MENU` and the id of the approval. */
  approval_more: { about: 'words', does: 'stops', on: ['message'] },
  approval_view: { about: 'approval', does: 'shows', on: ['message', 'home'] },
  approval_page_next: { about: 'approval', does: 'shows', on: ['view'] },
  approval_page_previous: { about: 'approval', does: 'shows', on: ['view'] },
  approval_input_file: { about: 'approval', does: 'shows', on: ['view'] },
  list_approve_all: { about: 'list', does: 'decides', on: ['message'] },
  list_deny_all: { about: 'list', does: 'shows', on: ['message'] },
  trust_end: { about: 'trust', does: 'shows', on: ['message'] },
  /** Stands below a call that ran on a trust. Only a press changes that message again. */
  trust_end_line: { about: 'trust', does: 'shows', on: ['message'] },
  trust_end_listed: { about: 'trust', does: 'shows', on: ['view', 'home'] },
  /** Stands below an answer, for the opinions of people. */
  reply_opinion: { about: 'words', does: 'shows', on: ['message'] },
} as const satisfies Readonly<Record<string, ButtonRow>>;
export type ButtonId = keyof typeof BUTTONS;

/** The row of every button on the card of a question, whatever its kind: `handlers/questions/` names and answers them. */
export const QUESTION_BUTTON = { about: 'question', does: 'shows', on: ['message'] } as const satisfies ButtonRow;

/** What the menu of a card offers, and the most that each choice can do. */
export const MENU = {
  deny: 'shows',
  answer: 'shows',
  edit: 'shows',
  terms: 'shows',
  refer: 'shows',
  stop: 'stops',
  trusted: 'shows',
} as const satisfies Readonly<Record<string, Does>>;
export type MenuVerb = keyof typeof MENU;
