import { z } from 'zod';
import type { Feedback } from '../../app/questions/index.ts';
import { RunId } from '../../app/records/index.ts';
import { readPress } from '../payloads/index.ts';
import { type Answer, sentence } from '../responding/index.ts';
import { ANSWERS } from '../views/index.ts';
import { answer, type DecisionDeps, misread } from './decisions.ts';

export type FeedbackDeps = Pick<DecisionDeps, 'client' | 'log'> & { readonly feedback: Feedback };

/** Somebody says what they think of an answer. Anybody who can read it may; it decides nothing. */
export function onFeedback(deps: FeedbackDeps): Answer {
  return async (arrival) => {
    await arrival.ack();
    const press = readPress(arrival.body);
    if (press?.place.type !== 'message') return misread(deps, arrival);
    const given = readGiven(press.value);
    const by = press.by.user;
    const result = given === undefined ? 'unknown' : await deps.feedback.give({ ...given, by, card: press.place.card });
    deps.log.info('A press about an answer was answered', { run: given?.run, by, result });
    await answer(deps, arrival, press, sentence(TRUTHS[result]));
  };
}

const TRUTHS = {
  kept: ANSWERS.feedbackKept,
  'kept-before': ANSWERS.feedbackKept,
  unknown: ANSWERS.feedbackUnknown,
  full: ANSWERS.feedbackFull,
  failed: ANSWERS.failed,
} as const;

const Given = z.tuple([z.enum(['good', 'bad']), RunId, z.coerce.number().int().positive()]);

function readGiven(value: string) {
  const read = Given.safeParse(value.split(' '));
  if (!read.success) return undefined;
  const [opinion, run, turn] = read.data;
  return { opinion, run, turn };
}
