import type { QuestionKind, QuestionRecord, QuestionRecords } from '../../app/records/index.ts';
import { type Delivery, onPress, onSubmitted } from '../responding/index.ts';
import { type MessageView, QUESTION_BUTTON } from '../views/index.ts';
import { DOUBT } from './doubt/index.ts';
import { INQUIRY } from './inquiry/index.ts';
import type { QuestionDeps, QuestionInSlack } from './kind.ts';

export type { QuestionDeps } from './kind.ts';

/** Every kind of question besides approvals. A kind without a row is an error of types. */
export const QUESTIONS = { inquiry: INQUIRY, doubt: DOUBT } satisfies QuestionsInSlack;

type QuestionsInSlack = { readonly [Kind in QuestionKind]: QuestionInSlack<QuestionRecords[Kind]> };

export type QuestionForm = (typeof QUESTIONS)[QuestionKind]['forms'][number]['id'];

export function questionCard({ kind, asks }: QuestionRecord): MessageView {
  return draw(QUESTIONS, kind, asks);
}

function draw<Kind extends QuestionKind>(
  kinds: QuestionsInSlack,
  kind: Kind,
  asks: QuestionRecords[Kind],
): MessageView {
  return kinds[kind].card(asks);
}

export const QUESTION_PRESSES: readonly Delivery<QuestionDeps>[] = Object.values(QUESTIONS).flatMap(deliveriesOf);

function deliveriesOf({ buttons, forms }: Omit<QuestionInSlack<never>, 'card'>): readonly Delivery<QuestionDeps>[] {
  return [
    ...Object.entries(buttons).map(([name, act]) => ({
      kind: 'action' as const,
      name,
      answer: onPress(QUESTION_BUTTON, act),
    })),
    ...forms.map(({ id, title, answer }) => ({ kind: 'form' as const, name: id, answer: onSubmitted(title, answer) })),
  ];
}
