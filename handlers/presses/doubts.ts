import type { WebClient } from '@slack/web-api';
import type { Log } from '../../app/log.ts';
import type { ChooseResult, Doubts } from '../../app/questions/index.ts';
import type { DoubtChoice } from '../../app/records/index.ts';
import { unreachable } from '../../interventions/index.ts';
import { type Bot, readApprovalId, readPress, type SubmittedForm } from '../payloads/index.ts';
import { type Answer, type FormEnd, onSubmitted, openForm, sentence } from '../responding/index.ts';
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
import { answer, misread } from './decisions.ts';

/** Somebody says what became of a call of which nobody knows whether it finished. */

export interface DoubtDeps {
  readonly doubts: Doubts;
  readonly client: WebClient;
  readonly log: Log;
  readonly bot: () => Bot;
}

export function onChoice(choice: Exclude<DoubtChoice, 'happened'>, deps: DoubtDeps): Answer {
  return async (arrival) => {
    await arrival.ack();
    const press = readPress(arrival.body);
    if (press?.place.type !== 'message') return misread(deps, arrival);
    const doubt = readApprovalId(press.value);
    if (doubt === undefined) return answer(deps, arrival, press, sentence(DOUBT_ANSWERS.unknown));
    const result = await deps.doubts.choose({ doubt, choice, by: press.by, card: press.place.card });
    deps.log.info('Somebody said what is to become of a call', {
      doubt,
      choice,
      by: press.by.user,
      result: result.type,
    });
    await answer(deps, arrival, press, sentence(truthOf(result)));
  };
}

export function onHappened(deps: DoubtDeps): Answer {
  return async (arrival) => {
    await arrival.ack();
    const press = readPress(arrival.body);
    if (press?.place.type !== 'message') return misread(deps, arrival);
    const doubt = readApprovalId(press.value);
    if (doubt === undefined) return answer(deps, arrival, press, sentence(DOUBT_ANSWERS.unknown));

    const { card, threadTs } = press.place;
    await openForm(deps, { trigger: press.trigger, title: HAPPENED_TITLE }, async () => {
      const considered = await deps.doubts.consider(doubt, press.by);
      deps.log.debug('A form was opened', { doubt, by: press.by.user, result: considered.type });
      return considered.type === 'open'
        ? happenedForm(considered.doubt, { approval: doubt, card, threadTs })
        : messageModal(sentence(truthOf(considered)), HAPPENED_TITLE);
    });
  };
}

export function onHappenedSaid(deps: DoubtDeps): Answer {
  const decide = async ({ by, memory, values }: SubmittedForm): Promise<FormEnd> => {
    const { approval: doubt, card } = memory;
    const said = values.get(FIELD.said)?.trim() ?? '';
    const spoken = said === '' ? {} : { said };
    const result = await deps.doubts.choose({ doubt, choice: 'happened', by, card, ...spoken });
    deps.log.info('Somebody said that a call happened', { doubt, by: by.user, result: result.type });
    return { type: result.type === 'chosen' ? 'done' : 'say', say: sentence(truthOf(result)) };
  };
  return onSubmitted(deps, { title: HAPPENED_TITLE, decide });
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
