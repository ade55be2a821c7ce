import type { AskAgainResult } from '../../app/approvals/index.ts';
import { orLog } from '../../app/or-log.ts';
import type { ApprovalId, UserId } from '../../app/records/index.ts';
import type { Asker } from '../../app/who-may-ask.ts';
import { answerPress, type Press, sentence, whyMayNotAsk } from '../responding/index.ts';
import { ANSWERS, alreadyDecided, type Mrkdwn, notRecorded, notYourRequest } from '../views/index.ts';
import type { DecisionDeps } from './decisions.ts';

/** Buttons that stand after a decision or an expiry. No press on them decides a call. */

type UntrustPress = Press<'trust_end' | 'trust_end_line' | 'trust_end_listed'>;

/** Ends a trust: *Stop trusting*. Taking a yes away is always safe, so every person who sees the button may. */
export async function onUntrust(deps: DecisionDeps, press: UntrustPress): Promise<void> {
  const { about, by, approval } = press;
  // The store may be out of reach. The presser is told that nothing was recorded.
  const result = await deps.trust.revoke(about, by.user, approval).catch(() => 'failed' as const);
  deps.log.info('A press to end trust was answered', { trust: about, by: by.user, result });
  await answerPress(deps, press, { words: ENDED[result], counted: result === 'revoked' });
}

const ENDED = {
  revoked: ANSWERS.trustEnded,
  already: ANSWERS.trustEndedBefore,
  unknown: ANSWERS.trustUnknown,
  failed: ANSWERS.failed,
} as const;

/** Asks again about the call of an expired card: *Ask again*. */
export async function onAgain(
  deps: DecisionDeps & { readonly asker: Asker },
  press: Press<'approval_again'>,
): Promise<void> {
  const { about: approval, by } = press;
  const refused = await mayAskAgain(deps, approval, by.user);
  if (refused !== undefined) return press.say(sentence(refused));
  const result = await deps.approvals.askAgain(approval, by);
  deps.log.info('A press to ask again was answered', { approval, by: by.user, result: result.type });
  await answerPress(deps, press, { words: againTruth(result, by.user), counted: result.type === 'asked' });
}

/** *Ask again* becomes a message of the presser, so it takes the right to write one. The caller answers an unknown request. */
async function mayAskAgain(
  { approvals, asker, log }: Pick<DecisionDeps, 'approvals' | 'log'> & { readonly asker: Asker },
  id: ApprovalId,
  user: UserId,
): Promise<Mrkdwn | undefined> {
  // The store may be out of reach. `askAgain` meets that as well, and its answer says so.
  const found = await orLog(log.warn, 'An expired request could not be read', { approval: id }, () =>
    approvals.find(id),
  );
  return found === undefined ? undefined : whyMayNotAsk(asker, { thread: found.thread, user });
}

function againTruth(result: AskAgainResult, reader: UserId): Mrkdwn {
  switch (result.type) {
    case 'asked':
      return ANSWERS.askedAgain;
    case 'asked-before':
      return ANSWERS.askedAgainBefore;
    case 'not-yours':
      return notYourRequest(result.approval);
    case 'not-expired':
      return alreadyDecided(result.approval, { reader });
    case 'unknown':
      return ANSWERS.unknown;
    case 'failed':
      return notRecorded(result);
  }
}
