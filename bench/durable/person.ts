import type { Core } from '../../app/assembly/index.ts';
import { type Approval, type Thread, threadKey, UserId } from '../../app/records/index.ts';
import { wish } from './model.ts';

/** Writes in threads, and says yes to every card in them at once. */
export interface Person {
  /** What each card named that stood in a thread. */
  readonly asked: readonly Named[];
  /** Writes, and resolves when the last reply is in the thread. */
  readonly turn: (core: Core, thread: Thread, calls: number) => Promise<void>;
  /** Writes, and resolves when a card stands there. It gets no answer. */
  readonly waits: (core: Core, thread: Thread) => Promise<void>;
  readonly seesCard: (core: Core, approval: Approval) => Promise<void>;
  readonly seesAnswer: (thread: Thread) => void;
}

/** What the buttons of a card name. */
export interface Named {
  readonly approval: Approval['id'];
  readonly run: Approval['run'];
}

/** What the person expects of one thread. */
interface Expected {
  readonly what: 'answer' | 'card';
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const ID = UserId.parse('U0ANN00001');

/** `quiet` resolves when the bot has nothing left to do: a press does not meet what is still being written of the card. */
export function createPerson(quiet: () => Promise<void>): Person {
  const asked: Named[] = [];
  const expected = new Map<string, Expected>();
  let messages = 0;
  const writes = (core: Core, thread: Thread, calls: number, what: Expected['what']): Promise<void> => {
    messages += 1;
    // A store that is opened again has seen the messages of the person before.
    const ts = `${Date.now()}.${messages}`;
    const message = { thread, user: ID, userTeam: thread.team, ts, text: wish(calls) };
    return new Promise((resolve, reject) => {
      expected.set(threadKey(thread), { what, resolve, reject });
      core.runs.take(message).catch(reject);
    });
  };
  return {
    asked,
    turn: (core, thread, calls) => writes(core, thread, calls, 'answer'),
    waits: (core, thread) => writes(core, thread, 1, 'card'),
    seesCard: async (core, { id, run, card, thread }) => {
      asked.push({ approval: id, run });
      const found = expected.get(threadKey(thread));
      if (found?.what === 'card' || card === undefined) return found?.resolve();
      await quiet();
      const by = { user: ID, team: thread.team };
      const { type } = await core.approvals.decide({
        approval: id,
        run,
        verdict: 'approve',
        by,
        from: { type: 'card', card },
      });
      if (type !== 'decided') found?.reject(new Error(`The yes to ${id} came to ${type}, so the turn cannot end.`));
    },
    seesAnswer: (thread) => {
      const found = expected.get(threadKey(thread));
      if (found?.what === 'answer') found.resolve();
    },
  };
}
