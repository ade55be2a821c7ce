import type { AskAgainResult } from '../../app/approvals/index.ts';
import type { ApprovalId, UserId } from '../../app/records/index.ts';
import type { Asker } from '../../app/who-may-ask.ts';
import { type PressedButton, readGrantId } from '../payloads/index.ts';
import { ANYWHERE, type Answer, onPress, onPressOf, sentence, whyMayNotAsk } from '../responding/index.ts';
import { ANSWERS, alreadyDecided, type Mrkdwn, notRecorded, notYourRequest, trustEndedNote } from '../views/index.ts';
import type { DecisionDeps } from './decisions.ts';

/** What people press after a decision, or after there was none. Nothing here decides a call. */

/** Somebody pressed Stop trusting. Taking a yes away is always safe, so anybody who sees the button may. */
export function onUntrust(where: 'card' | 'line' | 'home'): Answer<DecisionDeps & { readonly now: () => number }> {
  return onPress(ANYWHERE, async (deps, press) => {
    const grant = readGrantId(press.value);
    const by = press.by.user;
    const result = grant === undefined ? 'unknown' : await deps.trust.revoke(grant, by).catch(() => 'failed' as const);
    deps.log.info('A press to end trust was answered', { grant, by, result });
    await press.say(sentence(ENDED[result]));
    if (where === 'line' && (result === 'revoked' || result === 'already')) await takeButtonAway(deps, press);
  });
}

const ENDED: Readonly<Record<'revoked' | 'already' | 'unknown' | 'failed', Mrkdwn>> = {
  revoked: ANSWERS.trustEnded,
  already: ANSWERS.trustEndedBefore,
  unknown: ANSWERS.trustUnknown,
  failed: ANSWERS.failed,
};

/** A line has no record to be drawn from: it stays as it stands, without the button that has done its work. */
async function takeButtonAway(
  { client, log, now }: DecisionDeps & { readonly now: () => number },
  { place, message, by }: PressedButton,
): Promise<void> {
  if (place.type !== 'message' || message === undefined) return;
  const blocks = [
    ...message.blocks.filter(({ type }) => type !== 'actions'),
    trustEndedNote('trust-ended', by.user, now()),
  ];
  await client.chat
    .update({ channel: place.card.channel, ts: place.card.ts, text: message.text, blocks })
    .catch((error: unknown) => log.warn('A line keeps a button that has done its work', { error }));
}

/** Somebody pressed Ask again on an expired card. */
export const onAgain = onPressOf(
  { places: ANYWHERE, unknown: ANSWERS.unknown },
  async (deps: DecisionDeps & { readonly asker: Asker }, { approval, by, say }) => {
    const refused = await mayAskAgain(deps, approval, by.user);
    if (refused !== undefined) return say(sentence(refused));
    const result = await deps.approvals.askAgain(approval, by);
    deps.log.info('A press to ask again was answered', { approval, by: by.user, result: result.type });
    await say(sentence(againTruth(result)));
  },
);

/** It becomes a message of theirs, so it takes the right to write one. An unknown request is answered by what follows. */
async function mayAskAgain(
  { approvals, asker }: Pick<DecisionDeps, 'approvals'> & { readonly asker: Asker },
  id: ApprovalId,
  user: UserId,
): Promise<Mrkdwn | undefined> {
  const thread = (await approvals.find(id).catch(() => undefined))?.thread;
  return thread === undefined ? undefined : whyMayNotAsk(asker, { thread, user });
}

function againTruth(result: AskAgainResult): Mrkdwn {
  switch (result.type) {
    case 'asked':
      return ANSWERS.askedAgain;
    case 'asked-before':
      return ANSWERS.askedAgainBefore;
    case 'not-yours':
      return notYourRequest(result.approval);
    case 'not-expired':
      return alreadyDecided(result.approval);
    case 'unknown':
      return ANSWERS.unknown;
    case 'failed':
      return notRecorded(result);
  }
}
