import type { WebClient } from '@slack/web-api';
import type { Log } from '../app/log.ts';
import type { Approval } from '../app/records.ts';
import type { Surface } from '../app/surface.ts';
import { createDirect } from './direct.ts';
import type { MessageView } from './views/blocks.ts';
import { directNotice, directReminder, remindedPeople, reminder } from './views/reminder.ts';

export interface RemindingDeps {
  readonly client: WebClient;
  readonly log: Log;
  /** Posts below the card, unless the thread has it already. */
  readonly inThread: (approval: Approval, key: string, view: MessageView) => Promise<unknown>;
}

/** Nobody waits for it, and it is told once for each question, so a doubt is always looked into. */
export function createReminding({ client, log, inThread }: RemindingDeps): Pick<Surface, 'remind' | 'notify'> {
  const direct = createDirect({ client, log });
  const remind: Surface['remind'] = async (approval, what) => {
    const key = `${what}:${approval.id}`;
    // Those who can decide hear it by themselves; the thread is called only where one of them cannot be told so.
    const people = what === 'reminder' ? remindedPeople(approval) : undefined;
    if (people !== undefined) {
      const view = directReminder(approval);
      const told = await Promise.all(people.map((person) => direct.tell(person, key, view)));
      if (told.every(Boolean)) return;
    }
    await inThread(approval, key, reminder(approval, what));
  };

  const notify: Surface['notify'] = async (approval, people) => {
    const view = directNotice(approval);
    // Whom Slack lets nobody write to hears of it in the thread, when it is time for a reminder.
    await Promise.all(people.map((person) => direct.tell(person, `notice:${approval.id}`, view)));
  };

  return { remind, notify };
}
