import type { Does } from './buttons.ts';

/** Every modal that people can submit besides those of questions, by its id: its title, and the most that it can do. */
export const FORMS = {
  approval_deny_reason: { title: 'Deny with a reason', does: 'decides' },
  list_deny_reason: { title: 'Deny all', does: 'decides' },
  approval_answer_form: { title: 'Answer', does: 'decides' },
  approval_confirm: { title: 'Approve this call?', does: 'decides' },
  approval_edit: { title: 'Edit input', does: 'decides' },
  trust_terms: { title: 'Trust on other terms', does: 'shows' },
  trust_line: { title: 'Trust on other terms', does: 'decides' },
  approval_refer: { title: 'Ask someone else', does: 'shows' },
  ask_about_message: { title: 'Ask about this', does: 'shows' },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly does: Does }>>;
export type FormId = keyof typeof FORMS;

/** A form of a question. It decides no call. */
export interface FormName {
  readonly id: string;
  readonly title: string;
}

/** Fields of forms. Each id names the block, where Slack shows errors, and the element in it. */
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

/** What a refusal leads to. */
export const NEXT = { another: 'another', stop: 'stop' } as const;
