import { z } from 'zod';
import type { GiveFeedback } from '../../app/questions/index.ts';
import { RunId } from '../../app/records/index.ts';
import { type Press, type PressDeps, sentence } from '../responding/index.ts';
import { ANSWERS } from '../views/index.ts';

export type FeedbackDeps = PressDeps & { readonly giveFeedback: GiveFeedback };

/** A person gives an opinion of an answer. Every person who can read the answer may. An opinion decides nothing. */
export async function onFeedback(
  { giveFeedback, log }: FeedbackDeps,
  { about, by, place, say }: Press<'reply_opinion'>,
): Promise<void> {
  const given = readGiven(about);
  const result = given === undefined ? 'unknown' : await giveFeedback({ ...given, by: by.user, card: place.card });
  log.info('A press about an answer was answered', { run: given?.run, by: by.user, result });
  await say(sentence(TRUTHS[result]));
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
