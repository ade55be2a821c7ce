import type { Doubts } from '../../app/questions/index.ts';
import type { DoubtChoice } from '../../app/records/index.ts';
import type { SubmittedForm } from '../payloads/index.ts';
import { type FormEnd, openForm, type Press, type PressDeps, sentence } from '../responding/index.ts';
import { DOUBT_ANSWERS, FIELD, FORMS, happenedForm, messageModal, truthOfQuestion } from '../views/index.ts';

/** Somebody says what became of a call of which nobody knows whether it finished. */

export interface DoubtDeps extends PressDeps {
  readonly doubts: Doubts;
}

export function onChoice(choice: Exclude<DoubtChoice, 'happened'>) {
  return async (
    { doubts, log }: DoubtDeps,
    { about: doubt, by, place, say }: Press<'doubt_skip' | 'doubt_retry'>,
  ): Promise<void> => {
    const result = await doubts.choose({ doubt, choice, by, card: place.card });
    log.info('Somebody said what is to become of a call', { doubt, choice, by: by.user, result: result.type });
    await say(sentence(truthOfQuestion(result, DOUBT_ANSWERS)));
  };
}

export async function onHappened(
  deps: DoubtDeps,
  { about: doubt, by, place, trigger }: Press<'doubt_happened'>,
): Promise<void> {
  const { card, threadTs } = place;
  await openForm(deps, { trigger, title: FORMS.doubt_happened_form.title }, async () => {
    const considered = await deps.doubts.consider(doubt, by);
    deps.log.debug('A form was opened', { doubt, by: by.user, result: considered.type });
    return considered.type === 'open'
      ? happenedForm(considered.asks, { approval: doubt, card, threadTs })
      : messageModal(sentence(truthOfQuestion(considered, DOUBT_ANSWERS)), FORMS.doubt_happened_form.title);
  });
}

export async function onHappenedSaid(
  { doubts, log }: DoubtDeps,
  { by, memory, values }: SubmittedForm,
): Promise<FormEnd> {
  const { approval: doubt, card } = memory;
  const said = values.get(FIELD.said)?.trim() ?? '';
  const spoken = said === '' ? {} : { said };
  const result = await doubts.choose({ doubt, choice: 'happened', by, card, ...spoken });
  log.info('Somebody said that a call happened', { doubt, by: by.user, result: result.type });
  return { type: result.type === 'answered' ? 'done' : 'say', say: sentence(truthOfQuestion(result, DOUBT_ANSWERS)) };
}
