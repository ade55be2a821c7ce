import type { WebClient } from '@slack/web-api';
import type { Log } from '../../app/log.ts';
import { type Approval, type Reminder, UserId } from '../../app/records/index.ts';
import { type Surface, type Telling, UnreachableError } from '../../app/surface.ts';
import { directCopy, directReminder, type MessageView, remindedPeople, reminder, unheardNote } from '../views/index.ts';
import { createDirect } from './direct.ts';

export interface RemindingDeps {
  readonly client: WebClient;
  readonly log: Log;
  /** Posts below the card, unless the thread has it already. */
  readonly inThread: (approval: Approval, key: string, view: MessageView) => Promise<unknown>;
}

/** Reminds people of a question. No caller waits for a reminder, so an earlier post of it is always looked for. */
export function createReminding({
  client,
  log,
  inThread,
}: RemindingDeps): Pick<Surface, 'remind' | 'findCopies' | 'paintCopy' | 'tellUnheard'> {
  const direct = createDirect({ client, log });

  const tellEach = async (people: readonly string[], key: string, view: MessageView): Promise<Telling> => {
    const told = await Promise.all(
      people.map(async (person) => {
        const one = await direct.tell(person, key, view);
        return one === undefined ? [] : [{ ...one, to: UserId.parse(person) }];
      }),
    );
    const all = told.flat();
    return { copies: all.map(({ to, card }) => ({ to, card })), found: all.some(({ found }) => found) };
  };

  const remind: Surface['remind'] = async (approval, what, outOfSight) => {
    const key = keyOf(approval, what);
    // A person whom the bot cannot write to reads of the question in the thread, when it is time for a reminder.
    if (what === 'notice') return tellEach(outOfSight, key, directReminder(approval, what));
    // The people who can decide are told directly. The thread is called only where one of them cannot be.
    const people = what === 'reminder' ? remindedPeople(approval) : undefined;
    const telling =
      people === undefined ? NO_COPIES : await tellEach(people, key, directReminder(approval, 'reminder'));
    if (people === undefined || telling.copies.length < people.length) {
      // The channel may be closed for good. The question goes on waiting.
      await inThread(approval, key, reminder(approval, what)).catch((error: unknown) => {
        if (!(error instanceof UnreachableError)) throw error;
        log.warn('People cannot be called to a question in its thread', { approval: approval.id, error });
      });
    }
    return telling;
  };

  return {
    remind,
    findCopies: async (approval, what, people) => {
      const each = people.map(async (to) => {
        const card = await direct.find(to, keyOf(approval, what));
        return card === undefined ? [] : [{ to, card }];
      });
      return (await Promise.all(each)).flat();
    },
    paintCopy: (approval, copy) => direct.amend(copy.card, keyOf(approval, copy.what), directCopy(approval, copy)),
    tellUnheard: async (unheard) => {
      await direct.tell(unheard.requester, `unheard:${unheard.run}`, unheardNote(unheard));
    },
  };
}

const NO_COPIES: Telling = { copies: [], found: false };

const keyOf = ({ id }: Approval, what: Reminder): string => `${what}:${id}`;
