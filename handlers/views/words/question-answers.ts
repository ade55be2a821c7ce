import type { Answered, Considered } from '../../../app/questions/index.ts';
import type { UserId } from '../../../app/records/index.ts';
import { type Mrkdwn, mrkdwn } from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { cutMiddle } from '../kit/text.ts';
import { notRecorded } from './answers.ts';

/** What a person is told about one kind of question. */
export interface QuestionAnswers<Asks> {
  readonly answered: (asks: Asks) => Mrkdwn;
  /** `reader`: the person who is told. */
  readonly before: (asks: Asks, reader: UserId) => Mrkdwn;
  readonly over: (asks: Asks) => Mrkdwn;
  readonly notYours: (asks: Asks, refusal: { readonly why: string; readonly notNamed?: true }) => Mrkdwn;
}

export const UNKNOWN_QUESTION = mrkdwn`I do not know this question. It may belong to another installation, or be too old. Nothing has changed.`;

/** The one sentence that answers a press on a question. The process that changed the record paints the card. */
export function truthOfQuestion<Asks>(
  result: Answered<Asks> | Exclude<Considered<Asks>, { readonly type: 'open' }>,
  answers: QuestionAnswers<Asks>,
  reader: UserId,
): Mrkdwn {
  switch (result.type) {
    case 'answered':
      return answers.answered(result.asks);
    case 'answered-before':
      return answers.before(result.asks, reader);
    case 'over':
      return answers.over(result.asks);
    case 'not-yours':
      return answers.notYours(result.asks, result);
    case 'not-offered':
      return mrkdwn`Only the buttons of the card in the thread count here. Nothing has changed.`;
    case 'unfit':
      return mrkdwn`The tool server does not take this answer, so nothing was sent: ${cutMiddle(result.problem, SHOWN.noteChars)}`;
    case 'unknown':
      return UNKNOWN_QUESTION;
    case 'failed':
      return notRecorded(result);
  }
}
