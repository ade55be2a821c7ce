import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import type { ThreadKey } from '../../../app/records/index.ts';
import type { DueItem } from '../../../app/store/due.ts';
import type { Store } from '../../../app/store/store.ts';
import type { Work, WorkDeps } from '../../../app/work/work.ts';
import { appendOf, newApproval, newRun, newThread } from '../../support/store.ts';

export interface Place {
  readonly store: Store;
  /** One more process at work on the store; the only one where only one may. */
  readonly open: (deps: WorkDeps) => Promise<Work>;
  readonly close: () => Promise<void>;
}

/** What every engine promises: whatever is in `todo` is advanced, soon, and one at a time. */
export function describeWork(name: string, openPlace: () => Promise<Place>): void {
  describe(name, () => {
    let place: Place;
    let store: Store;
    const engines: Work[] = [];

    beforeEach(async () => {
      place = await openPlace();
      ({ store } = place);
    });
    afterEach(async () => {
      await Promise.all(engines.splice(0).map((engine) => engine.close(1_000)));
      await place.close();
    });

    const start = async (deps: Partial<WorkDeps>): Promise<Work> => {
      const engine = await place.open({
        store,
        advance: async (thread) => finish(thread),
        rest: async () => false,
        setAside: async () => {},
        onDue: async () => {},
        by: `process ${engines.length}`,
        log: silentLog,
        ...deps,
      });
      engines.push(engine);
      engine.start();
      return engine;
    };
    const message = async (thread: ThreadKey, key = 'm'): Promise<void> => {
      await store.take({ key: `${thread} ${key}`, thread, item: '{}' });
    };
    /** What an advance does at its end: the inbox is in a journal, and nothing is left to do. */
    const finish = async (thread: ThreadKey, hear = (_count: number) => {}): Promise<'done' | 'again'> => {
      const { inbox, currentRun } = await store.thread(thread);
      hear(inbox.length);
      if (inbox.length > 0) {
        const run = newRun(store, thread);
        const keys = inbox.map(({ key }) => key);
        await store.append(appendOf(run, 0, { effects: [{ type: 'drop-inbox', thread, keys }] }));
      }
      const rested = await store.restTodo({ thread, run: currentRun, version: 0, inboxLength: 0 });
      return rested ? 'done' : 'again';
    };

    it('advances a thread that is kicked', async () => {
      const thread = newThread();
      const advanced: ThreadKey[] = [];
      const work = await start({
        advance: async (which) => {
          advanced.push(which);
          return finish(which);
        },
      });

      await message(thread);
      work.kick(thread);

      await expect.poll(() => advanced).toContain(thread);
    });

    it('advances a thread in `todo` that was never kicked (FK3)', async () => {
      const thread = newThread();
      await message(thread);
      const advanced: ThreadKey[] = [];

      await start({
        advance: async (which) => {
          advanced.push(which);
          return finish(which);
        },
      });

      await expect.poll(() => advanced).toEqual([thread]);
    });

    it('has one process at work on a thread at a time, however often it is kicked, and forgets no kick (FN1)', async () => {
      const thread = newThread();
      let inside = 0;
      let most = 0;
      let heard = 0;
      const advance = async (which: ThreadKey) => {
        inside += 1;
        most = Math.max(most, inside);
        await pause(30);
        const end = await finish(which, (count) => {
          heard += count;
        });
        inside -= 1;
        return end;
      };
      const engine = await start({ advance });

      for (let index = 0; index < 12; index += 1) {
        await message(thread, `${index}`);
        engine.kick(thread);
        await pause(10);
      }

      await expect.poll(() => heard).toBe(12);
      await expect.poll(async () => (await store.claimTodo({ limit: 9, leaseMs: 0 })).length).toBe(0);
      expect(most).toBe(1);
    });

    it('retries a thread whose advance failed', async () => {
      const thread = newThread();
      let tries = 0;
      await start({
        advance: async (which) => {
          tries += 1;
          if (tries === 1) throw new Error('no');
          return finish(which);
        },
      });

      await message(thread);

      await expect.poll(() => tries).toBe(2);
    });

    it('keeps a thread that waits for people, and uses no slot for it', async () => {
      const waiting = Array.from({ length: 150 }, () => newThread());
      let answer = () => {};
      const answered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const begun = new Set<ThreadKey>();
      const ended = new Set<ThreadKey>();
      const work = await start({
        advance: async (thread) => {
          begun.add(thread);
          await answered;
          await work.hold(thread);
          const end = await finish(thread);
          ended.add(thread);
          return end;
        },
        rest: async (thread) => {
          const { inbox } = await store.thread(thread);
          return store.restTodo({ thread, run: undefined, version: 0, inboxLength: inbox.length });
        },
      });
      for (const thread of waiting) await message(thread);

      // More than are at work at a time: those that wait have made room.
      await expect.poll(() => begun.size).toBe(waiting.length);
      await expect.poll(async () => (await store.claimTodo({ limit: 999, leaseMs: 0 })).length).toBe(0);
      answer();

      await expect.poll(() => ended.size).toBe(waiting.length);
    });

    it('hands over due items until an append removes them', async () => {
      const thread = newThread();
      const run = newRun(store, thread);
      const item = { what: 'expiry', subject: newApproval(store, thread) } as const;
      await store.append(appendOf(run, 0, { effects: [{ type: 'due', item, atMs: 1 }] }));
      const due: DueItem[] = [];

      await start({
        onDue: async (given) => {
          due.push(given);
          if (due.length === 1) throw new Error('not yet');
          await store.append(appendOf(run, 1, { effects: [{ type: 'not-due', item }] }));
        },
      });

      await expect.poll(() => due).toEqual([item, item]);
    });

    it('keeps no thread and no other item waiting for a due item that takes long, and hands that one over once', async () => {
      const thread = newThread();
      const [slow, quick] = [newApproval(store, thread), newApproval(store, thread)];
      const due: string[] = [];
      const advanced: ThreadKey[] = [];
      const item = (subject: typeof slow) => ({ what: 'reminder', subject }) as const;
      await store.append(appendOf(newRun(store, thread), 0, { effects: [{ type: 'due', item: item(slow), atMs: 1 }] }));
      await start({
        onDue: async ({ subject }) => {
          due.push(subject);
          if (subject === slow) await new Promise(() => {});
          else await store.moveDue(item(quick), 'never');
        },
        advance: async (which) => {
          advanced.push(which);
          return finish(which);
        },
      });
      await expect.poll(() => due).toEqual([slow]);
      await store.moveDue(item(slow), 0);

      await store.append(
        appendOf(newRun(store, thread), 0, { effects: [{ type: 'due', item: item(quick), atMs: 1 }] }),
      );
      await message(thread);

      await expect.poll(() => due).toEqual([slow, quick]);
      await expect.poll(() => advanced).toEqual([thread]);
      expect(due).toEqual([slow, quick]);
    });

    it('takes nothing new when it closes, and says whether its work came to its end (FK24)', async () => {
      const thread = newThread();
      let end = () => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      let begun = 0;
      const work = await start({
        advance: async (which) => {
          begun += 1;
          await ended;
          return finish(which);
        },
      });
      await message(thread);
      await expect.poll(() => begun).toBe(1);

      expect(await work.close(50)).toBe('cut');
      const other = newThread();
      await message(other);
      work.kick(other);
      await pause(800);

      expect(begun).toBe(1);
      end();
    });

    it('ends at once when no work was begun', async () => {
      const work = await start({});

      expect(await work.close(10_000)).toBe('idle');
    });
  });
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
