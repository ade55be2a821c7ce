import { expect, it, onTestFinished } from 'vitest';
import { createLists, type ListDeps } from '../../../app/approvals/lists.ts';
import { NewerEntryError } from '../../../app/journal/line/line.ts';
import { NewerJournalError } from '../../../app/journal/line/newer.ts';
import { LIMITS } from '../../../app/limits.ts';
import type { Approval, RunId } from '../../../app/records/index.ts';
import { doubt } from '../../handlers/views/doubts.ts';
import { ANN, approved, BEN, everyState, pending, THREAD, ZOE } from '../../handlers/views/records.ts';
import { call, inProcess, tool } from '../../support/in-process/index.ts';
import { approvalId, runId } from '../../support/journal.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 100 * DAY_MS;
const as = (user: typeof ANN) => ({ user, team: THREAD.team });

/** What each list holds, by its owner and day, and what the journals say of each id. */
function lists(
  members: Readonly<Record<string, readonly string[]>>,
  known: readonly Approval[],
  more: Partial<ListDeps> = {},
) {
  const read: string[] = [];
  const made = createLists({
    store: {
      members: async ({ what, of }, most) => {
        if (what === 'unheard') return members.unheard ?? [];
        read.push(`${what} ${of}`);
        return (
          Object.entries(members)
            .find(([key]) => `${what} ${of}`.includes(key))?.[1]
            .slice(0, most) ?? []
        );
      },
    },
    find: async (id) => known.find((one) => one.id === id),
    findDoubt: async () => undefined,
    findUnheard: async () => undefined,
    groupsOf: async () => [],
    now: () => NOW_MS,
    suggestionsTo: [],
    ...more,
  });
  return { ...made, read };
}

const open = (n: number, changes: Parameters<typeof pending>[0] = {}) => pending({ id: approvalId(n), ...changes });
const PROGRESS = { stage: 1, stages: 1, given: 1, needed: 2, approvers: [BEN, ZOE] };
const named = (...approvers: readonly (typeof ANN)[]) => ({ approvers, selfApproval: false });
const waiting = (known: readonly Approval[], user = BEN, more: Partial<ListDeps> = {}) =>
  lists({ [user]: known.map(({ id }) => id) }, known, more).waitingFor(as(user));

it('lists what waits for a person, oldest first, each question once and none that is settled', async () => {
  const late = open(1, { askedAtMs: 200, rule: named(BEN) });
  const early = open(2, { askedAtMs: 100, rule: named(BEN) });
  const settled = { ...approved(), id: approvalId(3) };

  const found = await waiting([late, early, settled, late]);

  expect(found).toMatchObject({ approvals: [early, late], more: 0 });
});

it('says how many more wait than it shows', async () => {
  const many = Array.from({ length: LIMITS.waitingShown + 3 }, (_, n) => open(n + 1, { rule: named(BEN) }));

  const { approvals, more } = await waiting(many);

  expect([approvals.length, more]).toEqual([LIMITS.waitingShown, 3]);
});

it('lists the oldest of all that wait, whatever their order in the store and how many others cannot be answered', async () => {
  const others = Array.from({ length: 2 * LIMITS.waitingShown }, (_, n) =>
    open(n + 1, { askedAtMs: n, requester: BEN, rule: named(ZOE) }),
  );
  const theirs = Array.from({ length: LIMITS.waitingShown + 3 }, (_, n) =>
    open(n + 1_000, { askedAtMs: 500 - n, rule: named(BEN) }),
  );

  const { approvals, more } = await waiting([...others, ...theirs]);

  expect(approvals).toEqual(theirs.toReversed().slice(0, LIMITS.waitingShown));
  expect(more).toBe(3);
});

it('reads no more than so many questions of one person at once, and counts the others', async () => {
  const many = Array.from({ length: LIMITS.listRead + 5 }, (_, n) => open(n + 1, { askedAtMs: n, rule: named(BEN) }));
  const looked = new Set<string>();
  const find = async (id: string) => {
    looked.add(id);
    return many.find((one) => one.id === id);
  };

  const { approvals, more } = await waiting(many, BEN, { find });

  expect([approvals.length, more]).toEqual([LIMITS.waitingShown, many.length - LIMITS.waitingShown]);
  expect(looked.size).toBe(LIMITS.listRead);
});

it('shows no more lost calls than questions, and counts the others', async () => {
  const ids = Array.from({ length: LIMITS.waitingShown + 4 }, (_, n) => approvalId(n + 1));
  const { askedBy } = lists({ [ANN]: ids }, [], { findDoubt: async () => doubt({ standing: { status: 'pending' } }) });

  const { doubts, more } = await askedBy(as(ANN));

  expect([doubts?.length, more]).toEqual([LIMITS.waitingShown, 4]);
});

it('shows the oldest of many lost calls, whatever their order in the store', async () => {
  const ids = Array.from({ length: 3 * LIMITS.waitingShown }, (_, n) => approvalId(n + 1));
  const lost = ids.map((id, n) => doubt({ id, askedAtMs: 500 - n, standing: { status: 'pending' } }));
  const findDoubt: ListDeps['findDoubt'] = async (id) => lost.find((one) => one.id === id);
  const { doubts } = await lists({ [ANN]: ids }, [], { findDoubt }).askedBy(as(ANN));

  expect(doubts).toEqual(lost.toReversed().slice(0, LIMITS.waitingShown));
});

it('shows the same of many that were asked at the same moment, whatever their order in the store', async () => {
  const many = Array.from({ length: 2 * LIMITS.waitingShown }, (_, n) => open(n + 1, { rule: named(BEN) }));

  expect((await waiting(many.toReversed())).approvals).toEqual((await waiting(many)).approvals);
});

it('lists a question to a group for a person who is in that group', async () => {
  const asked = open(1, { rule: { approvers: [], selfApproval: false } });
  const { waitingFor } = lists({ [ZOE]: [asked.id] }, [asked], { groupsOf: async () => [ZOE] });

  expect((await waitingFor(as(BEN))).approvals).toEqual([asked]);
});

it.each<[string, Approval, boolean]>([
  ['is an approver of a call of another person', open(1, { requester: ANN, rule: named(BEN) }), true],
  ['asked and may decide alone', open(1, { requester: BEN, rule: { approvers: [], selfApproval: true } }), true],
  ['asked and may not decide about it', open(1, { requester: BEN, rule: named(ZOE) }), false],
  [
    'steered the call that others decide about',
    open(1, { requester: ANN, alsoSteeredBy: [BEN], rule: named(BEN) }),
    false,
  ],
  [
    'steered a call with self-approval',
    open(1, { requester: ANN, alsoSteeredBy: [BEN], rule: { approvers: [BEN], selfApproval: true } }),
    true,
  ],
  [
    'has said yes already',
    open(1, {
      requester: ANN,
      rule: named(BEN, ZOE),
      progress: { ...PROGRESS, yeses: [{ by: BEN, atMs: 1 }] },
    }),
    false,
  ],
  [
    'waits for the second yes',
    open(1, { requester: ANN, rule: named(BEN, ZOE), progress: { ...PROGRESS, yeses: [{ by: ZOE, atMs: 1 }] } }),
    true,
  ],
])('shows a question to a person who %s only where that person can still answer it', async (_, asked, shown) => {
  expect((await waiting([asked])).approvals).toEqual(shown ? [asked] : []);
});

it('shows a question that only a newer version can read to no person, and hides no other failure', async () => {
  const known = open(1, { rule: named(BEN) });
  const failing = (error: Error) => waiting([known], BEN, { find: () => Promise.reject(error) });

  expect(
    (await failing(new NewerJournalError(known.run, new NewerEntryError('an entry of version 2')))).approvals,
  ).toEqual([]);
  await expect(failing(new Error('The store is away.'))).rejects.toThrow('away');
});

it('shows a person that person’s own requests, whichever approver can decide them, and open lost calls', async () => {
  const asked = open(1, { requester: ANN, rule: named(BEN) });
  const askedBy = (status: 'pending' | 'withdrawn') => {
    const lost = approvalId(2);
    const findDoubt = async (id: string) => (id === lost ? doubt({ standing: { status } }) : undefined);
    return lists({ [ANN]: [asked.id, lost] }, [asked], { findDoubt }).askedBy(as(ANN));
  };

  expect((await askedBy('pending')).approvals).toEqual([asked]);
  expect((await askedBy('pending')).doubts).toHaveLength(1);
  expect((await askedBy('withdrawn')).doubts).toEqual([]);
});

it('shows a person what ended unheard in two weeks, the newest first, whatever its order in the store', async () => {
  const atMs = new Map([20, 30, 10].map((one, n) => [runId(n), one]));
  const findUnheard = async (run: RunId) => ({ run, requester: ANN, thread: THREAD, atMs: atMs.get(run) ?? 0 });
  const { waitingFor } = lists({ unheard: [...atMs.keys()] }, [], { findUnheard });

  expect((await waitingFor(as(ANN))).unheard?.map((one) => one.atMs)).toEqual([30, 30, 20, 20, 10, 10]);
});

const at = (n: number, atMs: number): Approval => {
  const one = approved();
  return one.status === 'approved' ? { ...one, id: approvalId(n), decision: { ...one.decision, atMs } } : one;
};

it('lists the newest of a day in which many were settled, whatever their order in the store', async () => {
  const known = Array.from({ length: 120 }, (_, n) => at(n + 1, n));
  const { settledFor } = lists({ [`${ANN}:1970-04-11`]: known.map(({ id }) => id) }, known);

  expect(await settledFor(as(ANN))).toEqual(known.toReversed().slice(0, LIMITS.settledShown));
  expect(await settledFor(as(ANN))).toHaveLength(LIMITS.settledShown);
});

it('looks no more answers of a day up than it is asked to', async () => {
  const known = Array.from({ length: 120 }, (_, n) => at(n + 1, n));
  const looked: string[] = [];
  const find = async (id: string) => {
    looked.push(id);
    return known.find((one) => one.id === id);
  };
  const { settledFor } = lists({ [`${ANN}:1970-04-11`]: known.map(({ id }) => id) }, known, { find });

  await settledFor(as(ANN), 30);

  expect(looked).toHaveLength(30);
});

it('lists what was settled, newest first, over several days until there is enough', async () => {
  const ran = everyState().find(({ status }) => status === 'expired') ?? pending();
  const known = [at(1, 10), at(2, 30), { ...ran, id: approvalId(3), expiresAtMs: 20 }];
  const days = {
    [`${ANN}:1970-04-11`]: [known[0]?.id ?? '', known[2]?.id ?? ''],
    [`${ANN}:1970-04-09`]: [approvalId(2)],
  };

  const settled = await lists(days, known).settledFor(as(ANN));

  expect(settled.map(({ id }) => id)).toEqual([approvalId(2), approvalId(3), approvalId(1)]);
});

it.each([
  ['exactly as many as it shows', 0],
  ['more than it shows', 2],
])(
  'reads one day in which %s were settled, and no other day, and shows no more entries than its limit',
  async (_many, more) => {
    const known = Array.from({ length: LIMITS.settledShown + more }, (_, n) => ({
      ...approved(),
      id: approvalId(n + 1),
    }));
    const { settledFor, read } = lists({ [`${ANN}:1970-04-11`]: known.map(({ id }) => id) }, known);

    expect(await settledFor(as(ANN))).toHaveLength(LIMITS.settledShown);
    expect(read).toEqual([`settled ${THREAD.team}:${ANN}:1970-04-11`]);
  },
);

it('looks a call that ran up once, and one whose record may change each time', async () => {
  const waits = { ...approved(), outcome: { type: 'waiting' } } as Approval;
  const known = [approved(), { ...waits, id: approvalId(2) }, { ...pending(), id: approvalId(3) }];
  const looked: string[] = [];
  const find = async (id: string) => {
    looked.push(id);
    return known.find((one) => one.id === id);
  };
  const { settledFor } = lists({ [ANN]: known.map(({ id }) => id) }, known, { find });

  await settledFor(as(ANN));
  const once = new Set(looked);
  looked.length = 0;
  await settledFor(as(ANN));

  expect([...once]).toEqual(known.map(({ id }) => id));
  expect([...new Set(looked)]).toEqual([approvalId(2), approvalId(3)]);
});

it('gives other work a turn before each record, which may hold a large input (EDGE-7)', async () => {
  let turn = 0;
  const count = () => {
    turn += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  onTestFinished(() => clearImmediate(next));
  const known = [1, 2, 3].map((n) => ({ ...approved(), id: approvalId(n) }));
  const turns: number[] = [];
  const find = async (id: string) => {
    turns.push(turn);
    return known.find((one) => one.id === id);
  };

  await lists({ [ANN]: known.map(({ id }) => id) }, known, { find }).settledFor(as(ANN));

  expect(new Set(turns).size).toBe(turns.length);
});

it('stops at its limit of days when nothing was settled', async () => {
  const { settledFor, read } = lists({}, []);

  expect(await settledFor(as(ANN))).toEqual([]);
  expect(read).toHaveLength(LIMITS.settledDays);
});

it('lists a question to a group for a person who is in that group, and for no other person', async () => {
  const oncall = 'S0ONCALL01';
  const isInGroup = async ({ user }: { readonly user: string }) => user === BEN;
  const bot = await inProcess({
    tools: [tool('wipe', { effect: 'guarded', approvers: [oncall] })],
    people: { isInGroup },
  });
  bot.model.says(call('wipe'));
  await bot.mention(ANN, 'wipe payments');
  const listOf = async (user: typeof ANN) => (await bot.core.approvals.waitingFor(as(user))).approvals;

  expect((await listOf(BEN)).map(({ tool: name }) => name)).toEqual(['wipe']);
  expect(await listOf(ZOE)).toEqual([]);
});

it('lists the calls with a suggested rule, newest first and each once, for the people of the configuration alone (SURF-1)', async () => {
  const suggested = (n: number, askedAtMs: number, suggestion: string) =>
    approved({ id: approvalId(n), askedAtMs, suggestion });
  const known = [suggested(1, 1, 'a'), suggested(2, 2, 'b'), suggested(3, 3, 'a')];
  const found = lists({ suggested: known.map(({ id }) => id) }, known, { suggestionsTo: [BEN] });

  expect(await found.suggestedTo(as(ANN))).toEqual([]);
  expect(found.read).toEqual([]);
  expect((await found.suggestedTo(as(BEN))).map(({ askedAtMs }) => askedAtMs)).toEqual([3, 2]);
  expect(found.read.every((name) => name.startsWith(`suggested ${THREAD.team}:`))).toBe(true);
});
