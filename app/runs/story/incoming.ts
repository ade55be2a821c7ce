import type { Message } from '../../../interventions/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import { threadKey } from '../../records/index.ts';
import type { AtStep } from '../../step.ts';
import type { Store } from '../../store/index.ts';
import type { Surface } from '../../surface.ts';
import { known } from '../gate/known.ts';
import { hearAll, type InboxEntry, inOrder, joining, portionOf, readInbox } from './new-messages.ts';
import type { ShownMessages } from './shown-messages.ts';
import { LEFT, TakenOverError } from './taken-over.ts';

export interface IncomingDeps {
  readonly store: Pick<Store, 'thread'>;
  readonly surface: Pick<Surface, 'readFile'>;
  readonly step: AtStep;
  readonly shownMessages: ShownMessages;
}

/**
 * Takes what people wrote while the agent worked into the journal, before the model sees it. Splits it into portions,
 * so that no append is larger than a store takes.
 */
export async function takeIncoming(deps: IncomingDeps, journal: RunJournal): Promise<readonly Message[]> {
  const before = known(journal);
  const { currentRun, inbox } = await deps.store.thread(threadKey(before.thread));
  if (currentRun !== before.run) {
    // Throws where the store was emptied: then the thread has to be shown as idle.
    await journal.refresh();
    throw new TakenOverError(LEFT);
  }
  const taken: Message[] = [];
  let waiting = inOrder(readInbox(inbox).filter(({ key }) => !before.heard.has(key)));
  while (waiting.length > 0) {
    const portion = portionOf(waiting);
    waiting = waiting.slice(portion.length);
    const joined = await join(deps, journal, portion);
    // They are not in the inbox any more. Those behind them stay there in their order.
    if (joined === 'late') break;
    taken.push(...joined);
  }
  return taken;
}

async function join(
  { surface, step, shownMessages }: IncomingDeps,
  journal: RunJournal,
  portion: readonly InboxEntry[],
): Promise<readonly Message[] | 'late'> {
  const messages = await hearAll(surface, portion);
  const committed = await journal.commit<readonly Message[] | 'lost'>((state) => {
    if (state?.status.type !== 'running') return { entries: [], result: [] };
    // Another process has written some of them since the inbox was read, and goes on with the run.
    if (!shownMessages.isAll(state)) return { entries: [], result: 'lost' };
    const { messages: result, ...joined } = joining(state, messages);
    return { ...joined, result };
  });
  if (committed === 'lost') throw new TakenOverError('it has moved on');
  if (committed === 'late' || committed.length === 0) return committed;
  shownMessages.wrote(committed.length);
  await step('message-joined');
  return committed;
}
