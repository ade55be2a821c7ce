import type { WebClient } from '@slack/web-api';
import type { Log } from '../../app/log.ts';
import type { AnswerResult, Inquiries, InquiryConsidered } from '../../app/questions/index.ts';
import { unreachable } from '../../interventions/index.ts';
import { type Bot, filledIn, readApprovalId, readPress, type SubmittedForm } from '../payloads/index.ts';
import { type Answer, type FormEnd, onSubmitted, openForm, sentence } from '../responding/index.ts';
import {
  INQUIRY_ANSWERS,
  INQUIRY_TITLE,
  inquiryForm,
  inquiryOver,
  type Mrkdwn,
  messageModal,
  misfitting,
  notRecorded,
  notYourInquiry,
  problemAt,
  readAnswer,
  settledBefore,
  settledByYou,
} from '../views/index.ts';
import { answer, misread } from './decisions.ts';

/** Somebody answers what a tool server asks. */

export interface InquiryDeps {
  readonly inquiries: Inquiries;
  readonly client: WebClient;
  readonly log: Log;
  readonly bot: () => Bot;
}

/** A trigger lives three seconds, so the form is opened before anybody looks whether there is something to answer. */
export function onAnswerInquiry(deps: InquiryDeps): Answer {
  return async (arrival) => {
    await arrival.ack();
    const press = readPress(arrival.body);
    if (press?.place.type !== 'message') return misread(deps, arrival);
    const inquiry = readApprovalId(press.value);
    if (inquiry === undefined) return answer(deps, arrival, press, sentence(INQUIRY_ANSWERS.unknown));

    const { card, threadTs } = press.place;
    await openForm(deps, { trigger: press.trigger, title: INQUIRY_TITLE }, async () => {
      const considered = await deps.inquiries.consider(inquiry, press.by);
      deps.log.debug('The form of a tool server was opened', { inquiry, by: press.by.user, result: considered.type });
      const form =
        considered.type === 'open'
          ? inquiryForm(considered.inquiry, { approval: inquiry, card, threadTs })
          : message(truthOf(considered));
      return form ?? message(INQUIRY_ANSWERS.noForm);
    });
  };
}

export function onDeclineInquiry(deps: InquiryDeps): Answer {
  return async (arrival) => {
    await arrival.ack();
    const press = readPress(arrival.body);
    if (press === undefined) return misread(deps, arrival);
    const inquiry = readApprovalId(press.value);
    if (inquiry === undefined) return answer(deps, arrival, press, sentence(INQUIRY_ANSWERS.unknown));
    const result = await deps.inquiries.answer({ inquiry, by: press.by, answer: { how: 'declined' } });
    deps.log.info('A tool server was declined', { inquiry, by: press.by.user, result: result.type });
    await answer(deps, arrival, press, sentence(truthOf(result)));
  };
}

/** What does not fit is said at its field, and nothing is sent. */
export function onInquiryAnswered(deps: InquiryDeps): Answer {
  const decide = async (submitted: SubmittedForm): Promise<FormEnd> => {
    const { by, memory } = submitted;
    const inquiry = memory.approval;
    const considered = await deps.inquiries.consider(inquiry, by);
    if (considered.type !== 'open') return say(truthOf(considered));
    const { schema } = considered.inquiry;
    const read = readAnswer(schema, filledIn(submitted));
    if (read.type === 'no-form') return say(INQUIRY_ANSWERS.noForm);
    if (read.type === 'errors') return read;

    const result = await deps.inquiries.answer({
      inquiry,
      by,
      answer: { how: 'answered', content: read.content },
    });
    deps.log.info('A tool server was answered', { inquiry, by: by.user, result: result.type });
    if (result.type === 'answered') return { type: 'done', say: sentence(truthOf(result)) };
    const errors = result.type === 'does-not-fit' ? problemAt(schema, result.problem) : undefined;
    return errors === undefined ? say(truthOf(result)) : { type: 'errors', errors };
  };
  return onSubmitted(deps, { title: INQUIRY_TITLE, decide });
}

const message = (truth: Mrkdwn) => messageModal(sentence(truth), INQUIRY_TITLE);
const say = (truth: Mrkdwn): FormEnd => ({ type: 'say', say: sentence(truth) });

/** Every press hears exactly one of these. The card is painted from the record, by whoever changed it. */
function truthOf(result: AnswerResult | Exclude<InquiryConsidered, { readonly type: 'open' }>): Mrkdwn {
  switch (result.type) {
    case 'answered':
      return settledByYou(result.inquiry);
    case 'already-settled':
      return settledBefore(result.inquiry);
    case 'over':
      return inquiryOver(result.inquiry);
    case 'not-yours':
      return notYourInquiry(result.inquiry);
    case 'does-not-fit':
      return misfitting(result.problem);
    case 'unknown':
      return INQUIRY_ANSWERS.unknown;
    case 'failed':
      return notRecorded(result);
    default:
      return unreachable(result);
  }
}
