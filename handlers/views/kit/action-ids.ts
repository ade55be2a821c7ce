/** Every id that a view can draw. The table in `handlers/presses/deliveries.ts` answers each of them. */
export const ACTION = {
  approve: 'approval_approve',
  deny: 'approval_deny',
  trust: 'approval_trust',
  /** Below the rows of a card that asks about many calls. */
  approveAll: 'list_approve_all',
  denyAll: 'list_deny_all',
  view: 'approval_view',
  more: 'approval_more',
  onWeb: 'approval_on_web',
  /** On a question that only wants words. */
  answer: 'approval_answer',
  /** In a list of what waits: the card is elsewhere. */
  answerListed: 'approval_answer_listed',
  again: 'approval_again',
  /** On a card, which is painted from its record. */
  untrust: 'trust_end',
  /** Below a call that ran on a trust; nobody repaints that message but whoever pressed. */
  untrustLine: 'trust_end_line',
  /** In a list: on the app's own page, or in a view. */
  untrustListed: 'trust_end_listed',
  /** Below an answer: what people think of it. */
  opinion: 'reply_opinion',
  nextPage: 'approval_page_next',
  inputFile: 'approval_input_file',
  previousPage: 'approval_page_previous',
  answerInquiry: 'inquiry_answer',
  declineInquiry: 'inquiry_decline',
  happened: 'doubt_happened',
  skip: 'doubt_skip',
  retry: 'doubt_retry',
} as const;
export type ActionId = (typeof ACTION)[keyof typeof ACTION];

/** What the card's menu offers. The approval id follows after a space. */
export const MENU = {
  deny: 'deny',
  answer: 'answer',
  edit: 'edit',
  terms: 'terms',
  refer: 'refer',
  stop: 'stop',
  trusted: 'trusted',
} as const;
export type MenuVerb = (typeof MENU)[keyof typeof MENU];

/** Modals. Only those that can be submitted have somebody who answers. */
export const VIEW = {
  input: 'approval_input',
  deny: 'approval_deny_reason',
  denyAll: 'list_deny_reason',
  answer: 'approval_answer_form',
  edit: 'approval_edit',
  terms: 'trust_terms',
  line: 'trust_line',
  refer: 'approval_refer',
  inquiry: 'inquiry_form',
  ask: 'ask_about_message',
  threadTrust: 'thread_trust',
  happened: 'doubt_happened_form',
} as const;

/** Fields of forms: the id of the block, under which Slack wants errors, and of the element in it. */
export const FIELD = {
  reason: 'reason',
  next: 'next',
  input: 'input',
  said: 'said',
  scope: 'scope',
  match: 'match',
  parts: 'parts',
  forMs: 'for',
  question: 'question',
  person: 'person',
  answer: 'answer',
  choice: 'choice',
} as const;

/** What the app offers in the menu of every message. */
export const SHORTCUT = { ask: 'ask_about_message', trust: 'thread_trust' } as const;

/** What happens after a refusal. */
export const NEXT = { another: 'another', stop: 'stop' } as const;
