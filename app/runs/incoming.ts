import type { Message } from '../../interventions/index.ts';
import { threadKey } from '../records.ts';
import type { RunJournal } from '../run-journal.ts';
import type { AtStep } from '../step.ts';
import type { Store } from '../store/store.ts';
import type { Surface } from '../surface.ts';
import { hearAll, personSaid } from './hearing.ts';

export interface IncomingDeps {
  readonly store: Pick<Store, 'thread'>;
  readonly surface: Pick<Surface, 'readFile'>;
  readonly step: AtStep;
}

/** What people wrote while the agent worked: it is in the journal before the model sees it. */
export async function takeIncoming(
  { store, surface, step }: IncomingDeps,
  journal: RunJournal,
): Promise<readonly Message[]> {
  const before = journal.state();
  if (before === undefined) throw new Error('A run has no journal. This is a fault of the bot: report it.');
  const { inbox } = await store.thread(threadKey(before.thread));
  if (inbox.length === 0) return [];
  const unheard = inbox.filter(({ key }) => !before.heard.has(key));
  const messages = await hearAll(surface, unheard);
  const committed = await journal.commit((state) => {
    if (state?.status.type !== 'running') return { entries: [], result: [] };
    // Another process may have brought some of them in since the inbox was read.
    const fresh = messages.filter(({ key }) => !state.heard.has(key));
    return {
      entries: fresh.map((said, index) => personSaid(said, state.items + index)),
      items: fresh.map(({ message }) => JSON.stringify(message)),
      result: fresh.map(({ message }) => message),
    };
  });
  if (committed.type === 'late' || committed.result.length === 0) return [];
  await step('message-joined');
  return committed.result;
}
