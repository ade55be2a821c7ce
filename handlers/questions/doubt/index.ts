import { given } from '../../../app/given.ts';
import type { Doubt } from '../../../app/records/index.ts';
import type { SubmittedForm } from '../../payloads/index.ts';
import { endOf, type FormEnd, sentence } from '../../responding/index.ts';
import { FIELD, truthOfQuestion } from '../../views/index.ts';
import { buttonsOf, type QuestionDeps, type QuestionInSlack } from '../kind.ts';
import { type DoubtButton, doubtCard } from './card.ts';
import { HAPPENED, happenedForm } from './form.ts';
import { DOUBT_ANSWERS } from './words.ts';

const { answers, opens } = buttonsOf('doubt', DOUBT_ANSWERS);

/** A person says what became of a call with an unknown outcome. */
export const DOUBT = {
  card: doubtCard,
  buttons: {
    doubt_happened: opens(HAPPENED, happenedForm),
    doubt_skip: answers({ how: 'skip' }),
    doubt_retry: answers({ how: 'retry' }),
  },
  forms: [{ ...HAPPENED, answer: onHappenedSaid }],
} as const satisfies QuestionInSlack<Doubt, DoubtButton>;

async function onHappenedSaid(
  { questions, log }: QuestionDeps,
  { by, memory, values }: SubmittedForm,
): Promise<FormEnd> {
  const { approval: doubt, card } = memory;
  const said = values.get(FIELD.said)?.trim() || undefined;
  const result = await questions.doubt.answer(doubt, { how: 'happened', ...given({ said }) }, { by, card });
  log.info('A person said that a call happened', { doubt, by: by.user, result: result.type });
  const truth = truthOfQuestion(result, DOUBT_ANSWERS, by.user);
  return result.type === 'answered' ? { type: 'done', say: sentence(truth) } : endOf(result, truth);
}
