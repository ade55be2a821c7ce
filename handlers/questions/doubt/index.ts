import { given } from '../../../app/given.ts';
import type { Doubt, DoubtChoice } from '../../../app/records/index.ts';
import type { SubmittedForm } from '../../payloads/index.ts';
import { type FormEnd, sentence } from '../../responding/index.ts';
import { FIELD, truthOfQuestion } from '../../views/index.ts';
import { openQuestionForm, type QuestionDeps, type QuestionInSlack, type QuestionPress } from '../kind.ts';
import { type DoubtButton, doubtCard } from './card.ts';
import { HAPPENED, happenedForm } from './form.ts';
import { DOUBT_ANSWERS } from './words.ts';

/** Somebody says what became of a call of which nobody knows whether it finished. */
export const DOUBT = {
  card: doubtCard,
  buttons: { doubt_happened: onHappened, doubt_skip: onChoice('skip'), doubt_retry: onChoice('retry') },
  forms: [{ ...HAPPENED, answer: onHappenedSaid }],
} as const satisfies QuestionInSlack<Doubt, DoubtButton>;

function onChoice(choice: Exclude<DoubtChoice, 'happened'>) {
  return async ({ questions, log }: QuestionDeps, { about: doubt, by, place, say }: QuestionPress): Promise<void> => {
    const result = await questions.doubt.answer(doubt, { how: choice }, { by, card: place.card });
    log.info('Somebody said what is to become of a call', { doubt, choice, by: by.user, result: result.type });
    await say(sentence(truthOfQuestion(result, DOUBT_ANSWERS)));
  };
}

function onHappened(deps: QuestionDeps, press: QuestionPress): Promise<void> {
  const { consider } = deps.questions.doubt;
  return openQuestionForm(deps, press, { title: HAPPENED.title, words: DOUBT_ANSWERS, consider, draw: happenedForm });
}

async function onHappenedSaid(
  { questions, log }: QuestionDeps,
  { by, memory, values }: SubmittedForm,
): Promise<FormEnd> {
  const { approval: doubt, card } = memory;
  const said = values.get(FIELD.said)?.trim() || undefined;
  const result = await questions.doubt.answer(doubt, { how: 'happened', ...given({ said }) }, { by, card });
  log.info('Somebody said that a call happened', { doubt, by: by.user, result: result.type });
  return { type: result.type === 'answered' ? 'done' : 'say', say: sentence(truthOfQuestion(result, DOUBT_ANSWERS)) };
}
