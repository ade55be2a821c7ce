import type { ChooseResult, Doubts } from '../../app/questions/index.ts';
import type { DoubtChoice } from '../../app/records/index.ts';
import { unreachable } from '../../interventions/index.ts';
import {
  type Answer,
  type FormEnd,
  onPressOf,
  onSubmitted,
  openForm,
  type PressDeps,
  sentence,
} from '../responding/index.ts';
import {
  choiceMadeBefore,
  choiceTaken,
  DOUBT_ANSWERS,
  doubtOver,
  FIELD,
  HAPPENED_TITLE,
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

const ON_CARD = { places: ['message'], unknown: DOUBT_ANSWERS.unknown } as const;

export function onChoice(choice: Exclude<DoubtChoice, 'happened'>): Answer<DoubtDeps> {
  return onPressOf(ON_CARD, async ({ doubts, log }, { approval: doubt, by, place, say }) => {
    const result = await doubts.choose({ doubt, choice, by, card: place.card });
    log.info('Somebody said what is to become of a call', { doubt, choice, by: by.user, result: result.type });
    await say(sentence(truthOf(result)));
  });
}

export const onHappened = onPressOf(ON_CARD, async (deps: DoubtDeps, { approval: doubt, by, place, trigger }) => {
  const { card, threadTs } = place;
  await openForm(deps, { trigger, title: HAPPENED_TITLE }, async () => {
    const considered = await deps.doubts.consider(doubt, by);
    deps.log.debug('A form was opened', { doubt, by: by.user, result: considered.type });
    return considered.type === 'open'
      ? happenedForm(considered.doubt, { approval: doubt, card, threadTs })
      : messageModal(sentence(truthOf(considered)), HAPPENED_TITLE);
  });
});

export const onHappenedSaid = onSubmitted(
  HAPPENED_TITLE,
  async ({ doubts, log }: DoubtDeps, { by, memory, values }): Promise<FormEnd> => {
    const { approval: doubt, card } = memory;
    const said = values.get(FIELD.said)?.trim() ?? '';
    const spoken = said === '' ? {} : { said };
    const result = await doubts.choose({ doubt, choice: 'happened', by, card, ...spoken });
    log.info('Somebody said that a call happened', { doubt, by: by.user, result: result.type });
    return { type: result.type === 'chosen' ? 'done' : 'say', say: sentence(truthOf(result)) };
  },
);

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
