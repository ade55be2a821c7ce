import type { WebClient } from '@slack/web-api';
import type { Approvals, LostClaim } from '../../app/approvals/index.ts';
import type { Log } from '../../app/log.ts';
import { ApprovalId, type CardReceipt, RunId } from '../../app/records/index.ts';
import { lostCard } from '../views/index.ts';
import { payloadAt } from './thread-search.ts';

export interface LostDeps {
  readonly approvals: Pick<Approvals, 'isUnknown' | 'isLost'>;
  readonly client: WebClient;
  readonly log: Log;
}

/**
 * Takes the buttons off a pressed card whose question the store has lost: it was emptied, or set back. Such a card may also
 * belong to another deployment on the same app, which is left alone: the metadata of the card says whose it is.
 */
export async function takeBackLost(
  { approvals, client, log }: LostDeps,
  pressed: ApprovalId,
  { card, threadTs }: { readonly card: CardReceipt; readonly threadTs?: string | undefined },
): Promise<void> {
  try {
    if (!(await approvals.isUnknown(pressed))) return;
    const claim = await claimOn(client, card, threadTs ?? card.ts);
    if (claim === undefined || !(await approvals.isLost(claim))) return;
    await client.chat.update({ ...card, ...lostCard() });
    log.warn('A card is about something that the store has lost; its buttons are gone', { approval: claim.approval });
    // Slack or the store may be out of reach. The presser has been told that nothing ran.
  } catch (error) {
    log.warn('A card without a record could not be looked at', { approval: pressed, error });
  }
}

/** What the card says about itself. A row of a list card is lost only together with the card. */
async function claimOn(client: WebClient, card: CardReceipt, threadTs: string): Promise<LostClaim | undefined> {
  const { key, run, firstEntry, place } = (await payloadAt(client, card, threadTs)) ?? {};
  const approval = ApprovalId.safeParse(String(key).split(':')[1]);
  if (!approval.success) return undefined;
  const known = RunId.safeParse(run);
  return {
    approval: approval.data,
    origin: known.success && typeof firstEntry === 'string' ? { run: known.data, firstEntry } : undefined,
    place: typeof place === 'string' ? place : undefined,
  };
}
