import type { ModalView, RichTextBlock, RichTextElement } from '@slack/types';
import { fallback, type MessageView, mention, mrkdwn, quotation, section } from '../kit/blocks.ts';
import { FIELD } from '../kit/forms.ts';
import { SHOWN, SLACK } from '../kit/limits.ts';
import { type AskMemory, form, textField } from './form.ts';

export function askModal({ text, ...place }: AskMemory): ModalView {
  const memory: AskMemory = { ...place, text: fitting(text, JSON.stringify({ ...place, text: '' }).length) };
  return form('ask_about_message', { submit: 'Ask', memory }, [
    ...(text.trim() === '' ? [] : [withNames(quotation('about', 'The message', text.trim(), SHOWN.summaryChars))]),
    textField({
      field: FIELD.question,
      label: 'What should I do with it?',
      hint: 'I answer in the thread of the message, where everybody sees it, and ask there before I act.',
      most: SHOWN.questionChars,
      optional: false,
    }),
  ]);
}

/** Only the person who chose the message sees the form, so its mentions are drawn as names and notify no person. */
function withNames(quoted: RichTextBlock): RichTextBlock {
  const elements = quoted.elements.map((part) =>
    part.type === 'rich_text_quote' ? { ...part, elements: part.elements.flatMap(named) } : part,
  );
  return { ...quoted, elements };
}

function named(element: RichTextElement): readonly RichTextElement[] {
  if (element.type !== 'text') return [element];
  return element.text.split(/<@([UW][A-Z0-9]+)(?:\|[^>]*)?>/).flatMap((part, at): readonly RichTextElement[] => {
    if (at % 2 === 1) return [{ type: 'user', user_id: part }];
    return part === '' ? [] : [{ ...element, text: part }];
  });
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
