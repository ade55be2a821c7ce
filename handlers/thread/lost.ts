import type { WebClient } from '@slack/web-api';
import type { Approvals } from '../../app/approvals/index.ts';
import type { Log } from '../../app/log.ts';
import { type ApprovalId, type CardReceipt, RunId } from '../../app/records/index.ts';
import { lostCard } from '../views/index.ts';
import { EVENT_TYPE } from './thread-search.ts';

export interface LostDeps {
  readonly approvals: Pick<Approvals, 'isLost'>;
  readonly client: WebClient;
  readonly log: Log;
}

/**
 * Takes the buttons off a card whose approval the store has lost, as after the restore of a backup. Such a card may also
 * belong to another deployment on the same app, which is left alone: the metadata of the card names the run.
 */
export async function takeBackLost(
  { approvals, client, log }: LostDeps,
  approval: ApprovalId,
  { card, threadTs }: { readonly card: CardReceipt; readonly threadTs?: string | undefined },
): Promise<void> {
  try {
    const claim = await claimOn(client, card, threadTs ?? card.ts);
    if (
      claim?.key !== `card:${approval}` ||
      !(await approvals.isLost({ approval, run: claim.run, firstEntry: claim.firstEntry }))
    )
      return;
    await client.chat.update({ ...card, ...lostCard() });
    log.warn('A card is about something that the store has lost; its buttons are gone', { approval });
    // Slack or the store may be out of reach. The presser has been told that nothing ran.
  } catch (error) {
    log.warn('A card without a record could not be looked at', { approval, error });
  }
}

async function claimOn(client: WebClient, { channel, ts }: CardReceipt, threadTs: string) {
  const { messages = [] } = await client.conversations.replies({
    channel,
    ts: threadTs,
    oldest: ts,
    latest: ts,
    inclusive: true,
    include_all_metadata: true,
  });
  const { metadata } = messages.find((message) => message.ts === ts) ?? {};
  if (metadata?.event_type !== EVENT_TYPE) return undefined;
  const { key, run, firstEntry }: Readonly<Record<string, unknown>> = { ...metadata.event_payload };
  const known = RunId.safeParse(run);
  return known.success && typeof firstEntry === 'string' ? { key, run: known.data, firstEntry } : undefined;
}
