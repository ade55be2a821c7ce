import type { Doubt, UserId } from '../../../app/records/index.ts';
import { type Mrkdwn, moment, mrkdwn, notYours, type QuestionAnswers, toolName, youOr } from '../../views/index.ts';

/** The answers to people who say what became of a call. */

export const DOUBT_ANSWERS: QuestionAnswers<Doubt> = {
  answered: choiceTaken,
  before: choiceMadeBefore,
  over: doubtOver,
  notYours: (doubt, refusal) => notYours(refusal, { ...doubt, alsoSteeredBy: [] }),
};

function choiceTaken({ standing, tool }: Doubt): Mrkdwn {
  const name = toolName(tool);
  switch (standing.status) {
    case 'happened':
      return mrkdwn`You said that this call of \`${name}\` happened. The agent goes on with that.`;
    case 'skip':
      return mrkdwn`You chose not to repeat this call of \`${name}\`. The agent is told so.`;
    case 'retry':
      return mrkdwn`This call of \`${name}\` is requested once more, and asked about like any other.`;
    default:
      return doubtOver({ standing });
  }
}

function choiceMadeBefore({ standing }: Doubt, reader: UserId): Mrkdwn {
  if (!('by' in standing)) return doubtOver({ standing });
  const { by, atMs, status } = standing;
  return mrkdwn`${youOr(by, reader)} already ${VERBS[status]}, ${moment(atMs)}. Your press changed nothing.`;
}

const VERBS = {
  happened: 'said that it happened',
  skip: 'chose to leave it alone',
  retry: 'asked for it once more',
} as const;

function doubtOver({ standing }: Pick<Doubt, 'standing'>): Mrkdwn {
  switch (standing.status) {
    case 'finished':
      return mrkdwn`The call finished after all, only late. There is nothing left to answer.`;
    case 'expired':
      return mrkdwn`Nobody told me in time whether it happened, so I told the agent that it is unknown.`;
    default:
      return mrkdwn`The run has ended, so there is nothing left to answer.`;
  }
}
