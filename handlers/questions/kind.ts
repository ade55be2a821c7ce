import type { QuestionAnswer } from '../../app/journal/index.ts';
import type { Questions } from '../../app/questions/index.ts';
import type { Person, QuestionKind, QuestionRecord, QuestionRecords } from '../../app/records/index.ts';
import type { SubmittedForm } from '../payloads/index.ts';
import { answerPress, type FormEnd, openForm, type PressDeps, type PressOn, sentence } from '../responding/index.ts';
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

type OnButton = (deps: QuestionDeps, press: PressOn<typeof QUESTION_BUTTON>) => Promise<void>;

/** What the bot shows and answers in Slack for one kind of question. Each button of a kind has the row `QUESTION_BUTTON`. */
export interface QuestionInSlack<Asks, Button extends string = string> {
  readonly card: (asks: Asks) => MessageView;
  readonly buttons: Readonly<Record<Button, OnButton>>;
  readonly forms: readonly (FormName & {
    readonly answer: (deps: QuestionDeps, form: SubmittedForm) => Promise<FormEnd>;
  })[];
}

/** Whether this person has given this answer. */
function isTheirs({ standing }: QuestionRecord['asks'], by: Person, how: unknown): boolean {
  return 'by' in standing && standing.by === by.user && standing.status === how;
}

/** What the buttons of a kind do, with the answers of that kind. */
export function buttonsOf<Kind extends QuestionKind>(kind: Kind, words: QuestionAnswers<QuestionRecords[Kind]>) {
  return {
    answers(answer: QuestionAnswer<Kind>): OnButton {
      return async (deps, press) => {
        const { questions, log } = deps;
        const { about: question, by, place } = press;
        const result = await questions[kind].answer(question, answer, { by, card: place.card });
        log.info('A question was answered', { kind, question, how: answer.how, by: by.user, result: result.type });
        // The press that counted may come twice, or be pressed twice.
        const again = result.type === 'answered-before' && isTheirs(result.asks, by, answer.how);
        const counted = result.type === 'answered' || again;
        const said = counted ? words.answered(result.asks) : truthOfQuestion(result, words, by.user);
        await answerPress(deps, press, { words: said, counted, again });
      };
    },
    /** Opens a form, or a view that says why the question can no longer be answered. */
    opens(
      { title }: FormName,
      draw: (asks: QuestionRecords[Kind], memory: FormMemory) => ReturnType<typeof messageModal>,
    ): OnButton {
      return async (deps, { about: question, by, place, trigger }) => {
        const { card, threadTs } = place;
        await openForm(deps, { trigger, title }, async () => {
          const considered = await deps.questions[kind].consider(question, by);
          deps.log.debug('A form was opened', { kind, question, by: by.user, result: considered.type });
          return considered.type === 'open'
            ? draw(considered.asks, { approval: question, card, threadTs })
            : messageModal(sentence(truthOfQuestion(considered, words, by.user)), title);
        });
      };
    },
  };
}
