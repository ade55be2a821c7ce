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
  const said = messages.map(({ message }) => personMessage(message));
  const committed = await journal.commit((state) =>
    state?.status.type === 'running'
      ? {
          entries: messages.map(({ key, message }, index) => ({
            type: 'person-said' as const,
            key,
            user: message.user,
            item: state.items + index,
          })),
          items: said.map((message) => JSON.stringify(message)),
          result: true,
        }
      : { entries: [], result: false },
  );
  if (committed.type === 'late' || !committed.result) return [];
  await step('message-joined');
  return said;
}
