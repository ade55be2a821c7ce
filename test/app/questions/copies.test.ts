import { describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import { decidePress } from '../../../app/journal/decide/decide.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { silentLog } from '../../../app/log.ts';
import { createCopies } from '../../../app/questions/copies.ts';
import { paintAtOnce } from '../../../app/questions/one-painter.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import type { Approval, Copy } from '../../../app/records/index.ts';
import { NotInstalledError, type Surface } from '../../../app/surface.ts';
import { approvalId, asked, pressed, runId, started, turn, user } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';

const [BEN, ZOE] = [user('U0BEN00001'), user('U0ZOE00001')];
const copyTo = (to: typeof BEN): Copy => ({ to, card: { channel: `D${to.slice(1)}`, ts: '5.0' } });
const rule = { approvers: [BEN, ZOE], selfApproval: true, quorum: 2 };
const question: readonly EntryBody[] = [started, turn(1, 'a'), asked({ rule, noticeAtMs: 1 })];
const told: EntryBody = {
  ...{ type: 'call-reminded', approval: approvalId(), what: 'notice', revision: 2 },
  copies: [copyTo(BEN), copyTo(ZOE)],
};
const denied: EntryBody = { type: 'call-decided', approval: approvalId(), verdict: 'deny', by: BEN };

const yesOf = (n: number): EntryBody => ({ type: 'yes-counted', approval: approvalId(), by: user(`U0VOTER${n}`) });

/** Two people's conversations, and processes that paint there. */
async function conversations(...entries: readonly EntryBody[]) {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  const shown = new Map<string, Approval['status']>();
  let ids = 0;
  let reads = 0;
  const process = async (surface: Partial<Pick<Surface, 'paintCopy' | 'findCopies'>> = {}) => {
    const read: typeof store.read = (...asked) => {
      reads += 1;
      return store.read(...asked);
    };
    const opened = { store: { ...store, read }, entryId: () => `id-${++ids}`, elapsed: clock.now };
    const journal = openRunJournal(opened, runId());
    if ((await journal.refresh()) === undefined) await journal.commit(() => ({ entries, result: undefined }));
    const paintCopy: Surface['paintCopy'] = async ({ status }, { to }) => void shown.set(to, status);
    const copies = createCopies({
      surface: { paintCopy, findCopies: async () => [], ...surface },
      byOne: paintAtOnce,
      log: silentLog,
      step: () => {},
    });
    return { journal, paintCopy, settle: () => copies.settle(journal), giveUp: () => copies.giveUp(journal) };
  };
  return { process, shown, reads: () => reads };
}

describe('the direct copies of a question', () => {
  it('cost no more reads when they are wanted again and again while Slack takes none', async () => {
    const readsOf = async (times: number) => {
      const { process, reads } = await conversations(...question, told, denied);
      const one = await process();
      await Promise.all(Array.from({ length: times }, one.settle));
      return reads();
    };

    expect(await readsOf(20)).toBe(await readsOf(1));
  });

  it('are painted once, by any process and after any number of requests (P14)', async () => {
    const { process, shown } = await conversations(...question, told, denied);
    const painted: string[] = [];
    const counting: Surface['paintCopy'] = async ({ status }, { to }) => void painted.push(`${to} ${status}`);
    const [one, other] = [await process({ paintCopy: counting }), await process()];

    expect(await Promise.all([one.settle(), one.settle()])).toEqual(['paid', 'paid']);
    expect(await other.settle()).toBe('paid');
    expect(painted).toEqual([`${BEN} denied`, `${ZOE} denied`]);
    expect(shown.size).toBe(0);
  });

  it('end with the newest state, even when an older painting comes last (P17)', async () => {
    const yes: EntryBody = { type: 'yes-counted', approval: approvalId(), by: ZOE };
    const { process, shown } = await conversations(...question, told, yes);
    const quick = await process();
    let overtaken = false;
    const slow = await process({
      paintCopy: async (approval, copy) => {
        if (!overtaken) {
          overtaken = true;
          await quick.journal.refresh();
          await quick.journal.commit((state) => {
            if (state === undefined) throw new Error('There is a run.');
            return decidePress(state, pressed({ by: BEN, verdict: 'deny' }));
          });
          await quick.settle();
        }
        await quick.paintCopy(approval, copy);
      },
    });

    expect(await slow.settle()).toBe('paid');
    expect(Object.fromEntries(shown)).toEqual({ [BEN]: 'denied', [ZOE]: 'denied' });
  });

  it('stay due when Slack has trouble, and are dropped when the app is no longer installed', async () => {
    const { process } = await conversations(...question, told, denied);
    const troubled = await process({ paintCopy: () => Promise.reject(new Error('503')) });
    const gone = await process({ paintCopy: () => Promise.reject(new NotInstalledError('T1')) });

    expect(await troubled.settle()).toBe('owing');
    expect(await gone.settle()).toBe('paid');
    expect(await troubled.settle()).toBe('paid');
  });

  it('are searched for and painted when the process that sent them may have died (P14)', async () => {
    const { process, shown } = await conversations(...question, denied);
    const sought: string[] = [];
    const finding = await process({
      findCopies: async (_approval, what, people) => {
        sought.push(`${what} ${people.join(' ')}`);
        return [copyTo(ZOE)];
      },
    });

    expect(await finding.settle()).toBe('paid');
    expect(await finding.settle()).toBe('paid');
    expect(sought).toEqual([`notice ${BEN} ${ZOE}`]);
    expect([...shown]).toEqual([[ZOE, 'denied']]);
  });

  it('are dropped together when they are given up, those that were only perhaps sent included', async () => {
    for (const entries of [
      [...question, told, denied],
      [...question, denied],
    ]) {
      const { process, shown } = await conversations(...entries);
      const sought: string[] = [];
      const findCopies: Surface['findCopies'] = async (_approval, what) => {
        sought.push(what);
        return [copyTo(BEN)];
      };
      const one = await process({ findCopies });

      await one.giveUp();

      expect(await one.settle()).toBe('paid');
      expect([...shown, ...sought]).toEqual([]);
    }
  });

  it('stay due when they change faster than they are painted, and the process of the last change goes on', async () => {
    const { process } = await conversations(...question, told, yesOf(0));
    const painted: number[] = [];
    const one = await process({
      paintCopy: async ({ revision }, { to }) => {
        if (to !== BEN) return;
        painted.push(revision);
        await one.journal.commit(() => ({ entries: [yesOf(painted.length)], result: undefined }));
      },
    });

    expect(await one.settle()).toBe('owing');
    expect(new Set(painted).size).toBe(5);
    expect(painted).toHaveLength(5);
  });
});
