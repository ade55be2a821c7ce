import type { Presser } from '../../app/journal/index.ts';
import type { Considered, Questions } from '../../app/questions/index.ts';
import type { ApprovalId } from '../../app/records/index.ts';
import type { SubmittedForm } from '../payloads/index.ts';
import { type FormEnd, openForm, type PressDeps, type PressOn, sentence } from '../responding/index.ts';
import {
  type FormMemory,
  type FormName,
  type MessageView,
  messageModal,
  type QUESTION_BUTTON,
  type QuestionAnswers,
  truthOfQuestion,
} from '../views/index.ts';

export interface QuestionDeps extends PressDeps {
  readonly questions: Questions;
}

export type QuestionPress = PressOn<typeof QUESTION_BUTTON>;

/** What Slack shows and answers in one kind of question. Each of its buttons has the row `QUESTION_BUTTON`. */
export interface QuestionInSlack<Asks, Button extends string = string> {
  readonly card: (asks: Asks) => MessageView;
  readonly buttons: Readonly<Record<Button, (deps: QuestionDeps, press: QuestionPress) => Promise<void>>>;
  readonly forms: readonly (FormName & {
    readonly answer: (deps: QuestionDeps, form: SubmittedForm) => Promise<FormEnd>;
  })[];
}

interface OpenedForm<Asks> {
  readonly title: string;
  readonly words: QuestionAnswers<Asks>;
  readonly consider: (id: ApprovalId, by: Presser) => Promise<Considered<Asks>>;
  readonly draw: (asks: Asks, memory: FormMemory) => ReturnType<typeof messageModal>;
}

/** The form of a question, or what there is to say in its place. */
export async function openQuestionForm<Asks>(
  deps: QuestionDeps,
  { about: question, by, place, trigger }: QuestionPress,
  { title, words, consider, draw }: OpenedForm<Asks>,
): Promise<void> {
  const { card, threadTs } = place;
  await openForm(deps, { trigger, title }, async () => {
    const considered = await consider(question, by);
    deps.log.debug('The form of a question was opened', { question, by: by.user, result: considered.type });
    return considered.type === 'open'
      ? draw(considered.asks, { approval: question, card, threadTs })
      : messageModal(sentence(truthOfQuestion(considered, words)), title);
  });
}
