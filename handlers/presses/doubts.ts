import type { ChooseResult, Doubts } from '../../app/questions/index.ts';
import type { DoubtChoice } from '../../app/records/index.ts';
import { unreachable } from '../../interventions/index.ts';
import type { SubmittedForm } from '../payloads/index.ts';
import { type FormEnd, openForm, type Press, type PressDeps, sentence } from '../responding/index.ts';
import {
  choiceMadeBefore,
  choiceTaken,
  DOUBT_ANSWERS,
  doubtOver,
  FIELD,
  FORMS,
  happenedForm,
  type Mrkdwn,
  messageModal,
  notRecorded,
  notYours,
} from '../views/index.ts';

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
    await say(sentence(truthOf(result)));
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
      ? happenedForm(considered.doubt, { approval: doubt, card, threadTs })
      : messageModal(sentence(truthOf(considered)), FORMS.doubt_happened_form.title);
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
  return { type: result.type === 'chosen' ? 'done' : 'say', say: sentence(truthOf(result)) };
}

/** Every press hears exactly one of these. The card is painted from the record, by whoever changed it. */
function truthOf(result: ChooseResult): Mrkdwn {
  switch (result.type) {
    case 'chosen':
      return choiceTaken(result.doubt);
    case 'chosen-before':
      return choiceMadeBefore(result.doubt);
    case 'over':
      return doubtOver(result.doubt);
    case 'not-yours':
      return notYours(result.why, result.doubt.rule);
    case 'not-offered':
      return DOUBT_ANSWERS.elsewhere;
    case 'unknown':
      return DOUBT_ANSWERS.unknown;
    case 'failed':
      return notRecorded(result);
    default:
      return unreachable(result);
  }
}
