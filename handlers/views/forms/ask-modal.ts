import type { ModalView } from '@slack/types';
import { fallback, type MessageView, mention, mrkdwn, quotation, section } from '../kit/blocks.ts';
import { FIELD } from '../kit/forms.ts';
import { SHOWN, SLACK } from '../kit/limits.ts';
import { type AskMemory, form, textField } from './form.ts';

export function askModal({ text, ...place }: AskMemory): ModalView {
  const memory: AskMemory = { ...place, text: fitting(text, JSON.stringify({ ...place, text: '' }).length) };
  return form('ask_about_message', { submit: 'Ask', memory }, [
    ...(text.trim() === '' ? [] : [quotation('about', 'The message', text.trim(), SHOWN.summaryChars)]),
    textField({
      field: FIELD.question,
      label: 'What should I do with it?',
      hint: 'I answer in the thread of the message, where everybody sees it, and ask there before I act.',
      most: SHOWN.questionChars,
      optional: false,
    }),
  ]);
}

/** Cuts a text so that it fits as JSON, which may be several times as long. */
function fitting(text: string, others: number): string {
  let kept = text.slice(0, SHOWN.aboutChars);
  while (JSON.stringify(kept).length + others > SLACK.privateMetadataChars) {
    kept = kept.slice(0, Math.floor(kept.length * 0.8));
  }
  return kept;
}

/** The note in the thread that says who asked what, before the agent answers. */
export function askedNote(user: string, question: string): MessageView {
  const who = mrkdwn`${mention(user)} asks me about this message:`;
  return {
    text: fallback(mrkdwn`${who} ${question.slice(0, SHOWN.spokenChars)}`),
    blocks: [section('asks', who), quotation('question', 'In their words', question, SHOWN.questionChars)],
  };
}
