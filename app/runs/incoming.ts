import type { Message } from '../../interventions/index.ts';
import { InboxMessage, threadKey } from '../records.ts';
import type { RunJournal } from '../run-journal.ts';
import type { AtStep } from '../step.ts';
import type { Store } from '../store/store.ts';
import { personMessage } from './person-message.ts';

export interface IncomingDeps {
  readonly store: Pick<Store, 'thread'>;
  readonly step: AtStep;
}

/** What people wrote while the agent worked: it is in the journal before the model sees it. */
export async function takeIncoming({ store, step }: IncomingDeps, journal: RunJournal): Promise<readonly Message[]> {
  const before = journal.state();
  if (before === undefined) throw new Error('A run has no journal. This is a fault of the bot: report it.');
  const { inbox } = await store.thread(threadKey(before.thread));
  if (inbox.length === 0) return [];
  const messages = inbox.map(({ key, item }) => ({ key, message: InboxMessage.parse(JSON.parse(item)) }));
  const committed = await journal.commit((state) => {
    if (state?.status.type !== 'running') return { entries: [], result: [] };
    // Another process may have brought some of them in since the inbox was read.
    const fresh = messages.filter(({ key }) => !state.heard.has(key));
    const said = fresh.map(({ message }) => personMessage(message));
    return {
      entries: fresh.map(({ key, message }, index) => ({
        type: 'person-said' as const,
        key,
        user: message.user,
        item: state.items + index,
      })),
      items: said.map((message) => JSON.stringify(message)),
      result: said,
    };
  });
  if (committed.type === 'late' || committed.result.length === 0) return [];
  await step('message-joined');
  return committed.result;
}
