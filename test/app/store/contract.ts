import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunId, ThreadKey } from '../../../app/records/index.ts';
import { shardOfThread, workspaceOf } from '../../../app/store/keys.ts';
import type { AppendRequest, Effect, Hint, Store, StoredText } from '../../../app/store/store.ts';
import { appendOf, newApproval, newEntryId, newGrant, newRun, newThread } from '../../support/store.ts';

export interface Engine {
  readonly store: Store;
  /** The same facts as another process sees them; the store itself where only one process may. */
  readonly other: Store;
  readonly close: () => Promise<void>;
}

/** What every engine promises. */
export function describeStore(name: string, open: () => Promise<Engine>): void {
  describe(name, () => {
    let engine: Engine;
    let store: Store;
    let other: Store;

    beforeEach(async () => {
      engine = await open();
      ({ store, other } = engine);
    });
    afterEach(() => engine.close());

    const runOf = (thread: ThreadKey = newThread()) => newRun(store, thread);
    const versionOf = async (journal: Parameters<Store['read']>[0]) => (await store.read(journal)).version;

    describe('an append', () => {
      it('gives the entries their places and returns the new version', async () => {
        const run = runOf();
        const entries = ['first', 'second', 'third'].map((id) => ({ id, text: `{"is":"${id}"}` }));

        expect(await store.append({ journal: run, expectedVersion: 0, entries, effects: [], durable: true })).toEqual({
          type: 'ok',
          version: 3,
          receivers: 0,
        });

        const page = await other.read(run);
        expect(page.entries).toEqual(entries);
        expect(page.version).toBe(3);
      });

      it('can be sent twice: the second reply is `already` and no entry is doubled (D13)', async () => {
        const thread = newThread();
        const run = runOf(thread);
        const request = appendOf(run, 0, { items: ['one'], effects: [{ type: 'todo', thread, inMs: 0 }] });
        await store.append(request);
        await store.append({ ...appendOf(run, 1), effects: [{ type: 'not-todo', thread }] });

        expect(await other.append(request)).toEqual({ type: 'already', version: 1 });

        expect(await versionOf(run)).toBe(2);
        expect(await store.readItems(run)).toEqual(['one']);
        expect(await store.claimTodo({ limit: 10, leaseMs: 1000 })).toEqual([]);
      });

      it.each([
        ['behind', 0],
        ['ahead of', 2],
      ])(
        'replies `conflict` to a writer that is %s the journal, with the version of the journal',
        async (_where, expected) => {
          const run = runOf();
          await store.append(appendOf(run, 0));

          expect(await store.append(appendOf(run, expected))).toEqual({ type: 'conflict', version: 1 });
          expect(await versionOf(run)).toBe(1);
        },
      );

      it('does not match an id by its beginning', async () => {
        const run = runOf();
        await store.append(appendOf(run, 0, { id: 'entry-10' }));

        expect(await store.append(appendOf(run, 0, { id: 'entry-1' }))).toEqual({ type: 'conflict', version: 1 });
      });

      it('replies `late` by the clock of the store, and writes nothing (D14)', async () => {
        const run = runOf();
        const { nowMs } = await store.read(run);

        const late = await store.append(appendOf(run, 0, { notAfterMs: nowMs - 1 }));
        const inTime = await store.append(appendOf(run, 0, { notAfterMs: nowMs + 60_000 }));

        expect(late.type === 'late' && late.nowMs >= nowMs).toBe(true);
        expect(inTime.type).toBe('ok');
      });

      it('replies `already` to a late writer whose earlier try was written', async () => {
        const run = runOf();
        const request = appendOf(run, 0);
        await store.append(request);

        expect(await store.append({ ...request, notAfterMs: 1 })).toEqual({ type: 'already', version: 1 });
      });

      it('replies `conflict` to a writer whose newest entry is another one than that of the journal (EDGE-1)', async () => {
        const run = runOf();
        await store.append(appendOf(run, 0, { id: 'entry-1' }));
        const second = appendOf(run, 1);

        expect(await store.append({ ...second, follows: 'entry-2' })).toEqual({ type: 'conflict', version: 1 });
        expect(await store.append({ ...second, follows: 'entry' })).toEqual({ type: 'conflict', version: 1 });
        expect(await versionOf(run)).toBe(1);
        expect((await store.append({ ...second, follows: 'entry-1' })).type).toBe('ok');
        expect(await versionOf(run)).toBe(2);
      });

      it('is refused in words when its items are for another position than the next one (EDGE-1)', async () => {
        const run = runOf();
        await store.append(appendOf(run, 0, { items: ['one'], itemsFrom: 0 }));

        const next = appendOf(run, 1, { items: ['two'] });
        await expect(store.append({ ...next, itemsFrom: 2 })).rejects.toThrow(
          /was refused: its first item is for position 2, and the run has 1 items\. Nothing was written/,
        );
        expect([await versionOf(run), await store.readItems(run)]).toEqual([1, ['one']]);
        expect((await store.append({ ...next, itemsFrom: 1 })).type).toBe('ok');
        expect(await other.readItems(run)).toEqual(['one', 'two']);
        // A position of no item says nothing.
        expect((await store.append({ ...appendOf(run, 2), itemsFrom: 9 })).type).toBe('ok');
      });

      it('takes entries of a second journal along, all of both or none, where one process writes (EDGE-2)', async () => {
        const [run, workspace] = [runOf(), workspaceOf(`T-${newEntryId()}`, store.shards)];
        const beside = (more: Partial<AppendRequest> = {}) => ({
          ...appendOf(run, 0, { items: ['item'] }),
          beside: { ...appendOf(workspace, 0, { id: 'begun', text: '"begun"' }), ...more },
        });
        const versions = async () => [await versionOf(run), await versionOf(workspace)];
        if (!store.isExclusive) {
          await expect(store.append(beside())).rejects.toThrow(
            /as well, and only the embedded store writes both\. Noth/,
          );
          expect(await versions()).toEqual([0, 0]);
          return;
        }

        expect(await store.append(beside({ expectedVersion: 1 }))).toEqual({ type: 'conflict', version: 0 });
        expect(await store.append(beside({ follows: 'another' }))).toEqual({ type: 'conflict', version: 0 });
        await expect(store.append({ ...beside(), itemsFrom: 3 })).rejects.toThrow('is for position 3');
        expect(await versions()).toEqual([0, 0]);

        const request = beside();
        expect(await store.append(request)).toMatchObject({ type: 'ok', version: 1 });
        expect(await versions()).toEqual([1, 1]);
        expect((await other.read(workspace)).entries).toEqual([{ id: 'begun', text: '"begun"' }]);
        expect(await store.append(request)).toEqual({ type: 'already', version: 1 });
        expect(await versions()).toEqual([1, 1]);
      });

      it('keeps journals of runs, trusts and workspaces apart', async () => {
        const run = runOf();
        const grant = newGrant(store);
        await store.append(appendOf(run, 0, { text: '"run"' }));
        await store.append(appendOf(grant, 0, { text: '"grant"' }));

        expect((await store.read(run)).entries.map(({ text }) => text)).toEqual(['"run"']);
        expect((await store.read(grant)).entries.map(({ text }) => text)).toEqual(['"grant"']);
      });

      it('lists a new journal of a listed kind once', async () => {
        const run = runOf();
        const grant = newGrant(store);
        const workspace = workspaceOf('T1', store.shards);
        await store.append(appendOf(run, 0));
        await store.append(appendOf(run, 1));
        await store.append(appendOf(grant, 0));
        await store.append(appendOf(workspace, 0));

        const found = async (name: string, kind: 'run' | 'grant' | 'workspace') =>
          (await other.journals(kind)).filter((listed) => listed === name).length;
        expect([await found(run, 'run'), await found(grant, 'grant'), await found(workspace, 'workspace')]).toEqual([
          1, 1, 1,
        ]);
        expect([await found(run, 'grant'), await found(runOf(), 'run')]).toEqual([0, 0]);
      });

      const wrong: readonly [string, (run: AppendRequest) => AppendRequest][] = [
        ['without an entry', (request) => ({ ...request, entries: [] })],
        ['with two lines in an entry', (request) => ({ ...request, entries: [{ id: 'a', text: '{\n}' }] })],
        ['with two words for an id', (request) => ({ ...request, entries: [{ id: 'a b', text: '{}' }] })],
        ['with an id that says nothing', (request) => ({ ...request, entries: [{ id: '', text: '{}' }] })],
        ['at a version that is none', (request) => ({ ...request, expectedVersion: -1 })],
        ['with items for a grant', (request) => ({ ...request, journal: newGrant(store), items: ['a'] })],
        [
          'with more effects than any step has',
          (request) => ({
            ...request,
            effects: Array.from({ length: 4_001 }, (): Effect => ({ type: 'todo', thread: newThread(), inMs: 0 })),
          }),
        ],
      ];
      it.each(wrong)('is refused in words %s', async (_what, spoil) => {
        const run = runOf();

        await expect(store.append(spoil(appendOf(run, 0)))).rejects.toThrow(/was refused: .+ Nothing was written/);
        expect(await versionOf(run)).toBe(0);
      });
    });

    describe('two writers', () => {
      it('have exactly one winner, a hundred times (FP1)', async () => {
        for (let round = 0; round < 100; round += 1) {
          const run = runOf();
          const requests = [appendOf(run, 0, { items: ['a'] }), appendOf(run, 0, { items: ['b'] })] as const;

          const answers = await Promise.all([store.append(requests[0]), other.append(requests[1])]);

          const winner = answers.findIndex(({ type }) => type === 'ok');
          expect(answers.map(({ type }) => type).sort()).toEqual(['conflict', 'ok']);
          expect((await store.read(run)).entries).toEqual(requests[winner]?.entries);
          expect(await store.readItems(run)).toEqual(requests[winner]?.items);
        }
      });

      it('that retry until they succeed are each there once', async () => {
        const run = runOf();
        const ids = Array.from({ length: 40 }, () => newEntryId());

        await Promise.all(
          ids.map(async (id, index) => {
            const writer = index % 2 === 0 ? store : other;
            for (let version = 0; ; ) {
              const answer = await writer.append(appendOf(run, version, { id }));
              if (answer.type !== 'conflict') return;
              version = answer.version;
            }
          }),
        );

        expect((await store.read(run)).entries.map(({ id }) => id).sort()).toEqual([...ids].sort());
      });
    });

    describe('the effects of an entry', () => {
      /** One of each, and what can be seen of them. */
      const everything = async () => {
        const thread = newThread();
        const run = runOf(thread);
        const approval = newApproval(store, thread);
        await store.take({ key: 'kept', thread, item: '1' });
        await store.take({ key: 'dropped', thread, item: '2' });
        await store.restTodo({ thread, run: undefined, version: 0, inboxLength: 2 });
        const effects: readonly Effect[] = [
          { type: 'due', item: { what: 'expiry', subject: approval }, atMs: 1 },
          { type: 'todo', thread, inMs: 0 },
          { type: 'approval', approval, run },
          { type: 'member', index: { what: 'waiting', of: 'T1:U1' }, member: approval },
          { type: 'current-run', thread, run },
          { type: 'drop-inbox', thread, keys: ['dropped'] },
        ];
        const look = async () => ({
          due: await other.claimDue({ limit: 10, leaseMs: 3_600_000 }),
          todo: await other.claimTodo({ limit: 10, leaseMs: 3_600_000 }),
          run: await other.findApproval(approval),
          members: await other.members({ what: 'waiting', of: 'T1:U1' }),
          currentRun: (await other.thread(thread)).currentRun,
          inbox: (await other.thread(thread)).inbox.map(({ key }) => key),
          items: await other.readItems(run),
        });
        return { thread, run, approval, effects, look };
      };

      it('happen when it is written', async () => {
        const { thread, run, approval, effects, look } = await everything();

        await store.append(appendOf(run, 0, { effects, items: ['big'] }));

        expect(await look()).toEqual({
          due: [{ what: 'expiry', subject: approval }],
          todo: [thread],
          run,
          members: [approval],
          currentRun: run,
          inbox: ['kept'],
          items: ['big'],
        });
      });

      const notWritten: readonly [string, Partial<AppendRequest>][] = [
        ['in conflict', { expectedVersion: 5 }],
        ['late', { notAfterMs: 1 }],
        ['refused', { entries: [] }],
      ];
      it.each(notWritten)('do not happen when it is %s', async (_how, spoiled) => {
        const { run, effects, look } = await everything();
        const before = await look();

        await store.append({ ...appendOf(run, 0, { effects, items: ['big'] }), ...spoiled }).catch(() => {});

        expect(await look()).toEqual(before);
        expect(before).toMatchObject({ due: [], todo: [], run: undefined, members: [], items: [] });
      });

      it('can be undone by a later entry', async () => {
        const { thread, run, approval, effects, look } = await everything();
        await store.append(appendOf(run, 0, { effects }));

        await store.append(
          appendOf(run, 1, {
            effects: [
              { type: 'not-due', item: { what: 'expiry', subject: approval } },
              { type: 'not-todo', thread },
              { type: 'not-member', index: { what: 'waiting', of: 'T1:U1' }, member: approval },
              { type: 'current-run', thread },
            ],
          }),
        );

        expect(await look()).toMatchObject({ due: [], todo: [], members: [], currentRun: undefined });
      });

      it('are refused with a reason when they belong to another shard', async () => {
        const run = runOf();
        const subject = `77${newApproval(store, newThread()).slice(2)}` as ReturnType<typeof newApproval>; // Only the shard differs.

        await expect(
          store.append(appendOf(run, 0, { effects: [{ type: 'not-due', item: { what: 'expiry', subject } }] })),
        ).rejects.toThrow(/belongs to shard 77/);
      });
    });

    describe('the content of a journal', () => {
      it('is read from any position', async () => {
        const run = runOf();
        for (let version = 0; version < 5; version += 1) {
          await store.append(appendOf(run, version, { id: `e${version}`, items: [`item ${version}`] }));
        }

        const page = await store.read(run, 3);
        expect(page.entries.map(({ id }) => id)).toEqual(['e3', 'e4']);
        expect(page.version).toBe(5);
        expect(await store.readItems(run, 4)).toEqual(['item 4']);
        expect(await store.read(run, 9)).toMatchObject({ entries: [], version: 5 });
        expect(await store.readItems(run, 9)).toEqual([]);
      });

      it('is read up to as many entries as the caller names', async () => {
        const run = runOf();
        const entries = ['e0', 'e1', 'e2', 'e3'].map((id) => ({ id, text: 'a text' }));
        await store.append({ ...appendOf(run, 0), entries });

        const idsOf = async (from: number, most: number) =>
          (await store.read(run, from, most)).entries.map(({ id }) => id);
        expect(await idsOf(0, 1)).toEqual(['e0']);
        expect(await idsOf(1, 2)).toEqual(['e1', 'e2']);
        expect(await idsOf(3, 5)).toEqual(['e3']);
        expect(await idsOf(4, 1)).toEqual([]);
        expect(await store.read(run, 0, 1)).toMatchObject({ version: 4 });
      });

      it('is empty where nothing was written', async () => {
        const thread = newThread();

        expect(await store.read(runOf())).toMatchObject({ entries: [], version: 0 });
        expect(await store.readItems(runOf())).toEqual([]);
        expect(await store.findApproval(newApproval(store, thread))).toBeUndefined();
        expect(await store.members({ what: 'grants', of: 'T1:all' })).toEqual([]);
        expect(await store.thread(thread)).toMatchObject({ currentRun: undefined, inbox: [] });
      });

      it.each([
        ['an emoji of several parts', '👩🏽‍🚀'],
        ['text that changes direction', 'safe\u202egnp.exe'],
        ['half a surrogate pair', '\ud83d'],
        ['a zero', 'a\u0000b'],
        ['line ends of every kind', 'a\r\nb\u2028c\u2029d\u0085e'],
        ['combining marks', 'e\u0301\u0301\u0301'],
        ['what is not a character', '\uffff\ufffe\ufeff'],
        ['nothing', ''],
      ])('comes back unchanged with %s in it', async (_what, odd) => {
        const thread = newThread();
        const run = runOf(thread);
        const text = JSON.stringify({ odd });
        await store.append(appendOf(run, 0, { text, items: [text] }));
        await store.take({ key: odd, thread, item: text });

        const [entry] = (await other.read(run)).entries;
        expect(entry?.text).toBe(text);
        expect(JSON.parse(entry?.text ?? '')).toEqual({ odd });
        expect(await other.readItems(run)).toEqual([text]);
        expect((await other.thread(thread)).inbox.map(({ item }) => item)).toEqual([text]);
      });

      it('comes back unchanged with a million characters in it', async () => {
        const thread = newThread();
        const run = runOf(thread);
        const big = JSON.stringify('x€'.repeat(500_000));

        await store.append(appendOf(run, 0, { text: big, items: [big, big] }));
        await store.take({ key: 'big', thread, item: big });

        expect((await other.read(run)).entries[0]?.text === big).toBe(true);
        expect((await other.readItems(run)).every((item) => item === big)).toBe(true);
        expect((await other.thread(thread)).inbox[0]?.item === big).toBe(true);
      });
    });

    describe('a delivery', () => {
      it('is taken once, however often and wherever it arrives (FS1)', async () => {
        const thread = newThread();
        const arrivals = [store, other, store, other].map((at) => at.take({ key: 'C1:1.1', thread, item: '{}' }));

        expect((await Promise.all(arrivals)).sort()).toEqual(['seen', 'seen', 'seen', 'taken']);

        expect((await store.thread(thread)).inbox).toEqual([{ key: 'C1:1.1', item: '{}' }]);
        expect(await store.claimTodo({ limit: 10, leaseMs: 1000 })).toEqual([thread]);
      });

      it('waits in the order it came, until an append drops it (D8)', async () => {
        const thread = newThread();
        const run = runOf(thread);
        for (const key of ['a', 'ab', 'b', 'c', '"', 'ü']) await store.take({ key, thread, item: `"${key}"` });

        await store.append(appendOf(run, 0, { effects: [{ type: 'drop-inbox', thread, keys: ['a', 'c', '"'] }] }));

        expect((await other.thread(thread)).inbox.map(({ key }) => key)).toEqual(['ab', 'b', 'ü']);
        expect(await other.thread(thread, 1)).toMatchObject({ inbox: [{ key: 'ab' }], inboxLength: 3 });
        expect(await other.take({ key: 'a', thread, item: '{}' })).toBe('seen');
      });

      it('goes into one journal: an append that takes what is not there any more writes nothing, and is `late` (D8)', async () => {
        const thread = newThread();
        const [first, second, third] = [runOf(thread), runOf(thread), runOf(thread)];
        for (const key of ['a', 'b', 'c']) await store.take({ key, thread, item: '{}' });
        const taking = (...keys: readonly string[]) => ({ effects: [{ type: 'drop-inbox' as const, thread, keys }] });
        await store.append(appendOf(first, 0, { id: 'e1', ...taking('c') }));

        const late = await other.append(appendOf(second, 0, taking('a', 'c')));
        const again = await other.append(appendOf(first, 0, { id: 'e1', ...taking('c') }));
        await store.abandon(thread, undefined);
        const stopped = await other.append(appendOf(third, 0, taking('a')));

        expect([late.type, again.type, stopped.type]).toEqual(['late', 'already', 'late']);
        expect([await versionOf(second), await versionOf(third)]).toEqual([0, 0]);
      });

      it('leaves a journal as it is that is not the current run of the thread any more: `late` is the answer (D8, EDGE-7)', async () => {
        const thread = newThread();
        const [first, second] = [runOf(thread), runOf(thread)];
        const still = { effects: [{ type: 'still-current' as const, thread, run: first }], items: ['big'] };
        await store.append(appendOf(first, 0, { id: 'e1', effects: [{ type: 'current-run', thread, run: first }] }));

        const written = await other.append(appendOf(first, 1, still));
        await store.abandon(thread, first);
        const left = await other.append(appendOf(first, 2, still));
        await store.append(appendOf(second, 0, { effects: [{ type: 'current-run', thread, run: second }] }));
        const replaced = await other.append(appendOf(first, 2, still));

        expect([written.type, left.type, replaced.type]).toEqual(['ok', 'late', 'late']);
        expect([await versionOf(first), await other.readItems(first)]).toEqual([2, ['big']]);
      });

      it('takes its thread off a list with the end of its run, and not while the thread has another run by now (EDGE-7)', async () => {
        const thread = newThread();
        const [first, second] = [runOf(thread), runOf(thread)];
        const index = { what: 'threads', of: 'T1' } as const;
        const begins = (run: RunId): Partial<AppendRequest> => ({
          effects: [
            { type: 'current-run', thread, run },
            { type: 'member', index, member: thread },
          ],
        });
        const ends = (run: RunId): Partial<AppendRequest> => ({ effects: [{ type: 'run-over', thread, run, index }] });
        const isListed = async () => (await other.members(index)).includes(thread);
        await store.append(appendOf(first, 0, begins(first)));
        await store.abandon(thread, first);
        await store.append(appendOf(second, 0, begins(second)));

        await store.append(appendOf(first, 1, ends(first)));
        expect(await isListed()).toBe(true);
        await store.append(appendOf(second, 1, ends(second)));
        expect(await isListed()).toBe(false);
      });

      it('takes its thread off a list with the end of its run also where the thread was left without it (EDGE-7)', async () => {
        const thread = newThread();
        const run = runOf(thread);
        const index = { what: 'threads', of: 'T1' } as const;
        const begins: Effect[] = [
          { type: 'current-run', thread, run },
          { type: 'member', index, member: thread },
        ];
        await store.append(appendOf(run, 0, { effects: begins }));
        await store.abandon(thread, run);

        await store.append(appendOf(run, 1, { effects: [{ type: 'run-over', thread, run, index }] }));
        expect(await other.members(index)).not.toContain(thread);
      });

      it('is answered with whether its thread has a run already', async () => {
        const thread = newThread();
        const run = runOf(thread);
        expect(await store.take({ key: 'a', thread, item: '{}' })).toBe('taken');
        expect(await store.take({ key: 'b', thread, item: '{}' })).toBe('taken');

        await store.append(appendOf(run, 0, { effects: [{ type: 'current-run', thread, run }] }));
        expect(await other.take({ key: 'c', thread, item: '{}' })).toBe('added');
        expect(await other.take({ key: 'd', thread })).toBe('added');
        expect(await other.take({ key: 'a', thread, item: '{}' })).toBe('seen');

        await store.append(appendOf(run, 1, { effects: [{ type: 'current-run', thread }] }));
        expect(await store.take({ key: 'e', thread, item: '{}' })).toBe('taken');
      });

      it('is only marked as seen when it holds nothing to read', async () => {
        const thread = newThread();

        expect(await store.take({ key: 'press', thread })).toBe('taken');
        expect(await store.take({ key: 'press', thread })).toBe('seen');

        expect((await store.thread(thread)).inbox).toEqual([]);
        expect(await store.claimTodo({ limit: 10, leaseMs: 1000 })).toEqual([]);
      });
    });

    describe('a run that is removed', () => {
      const index = { what: 'waiting', of: 'T1:ANN' } as const;
      const tell = async (thread: ThreadKey) => {
        const run = runOf(thread);
        const approval = newApproval(store, thread);
        const due = [
          { what: 'retention', subject: run },
          { what: 'expiry', subject: approval },
        ] as const;
        const effects: readonly Effect[] = [
          { type: 'current-run', thread, run },
          { type: 'approval', approval, run },
          { type: 'member', index, member: approval },
          ...due.map((item) => ({ type: 'due' as const, item, atMs: 1 })),
        ];
        await store.append(appendOf(run, 0, { items: ['big'], effects }));
        return { run, version: 1, thread, approvals: [approval], due, members: [{ index, member: approval }] };
      };
      const look = async ({ run, thread, approvals: [approval] }: Awaited<ReturnType<typeof tell>>) => ({
        entries: (await other.read(run)).version,
        items: (await other.readItems(run)).length,
        found: approval !== undefined && (await other.findApproval(approval)) !== undefined,
        listed: (await other.members(index)).some((member) => member === approval),
        current: (await other.thread(thread)).currentRun === run,
        named: (await other.journals('run')).includes(run),
      });

      it('leaves nothing behind, and removes nothing of another run', async () => {
        const gone = await tell(newThread());
        const kept = await tell(newThread());

        expect(await store.removeRun(gone)).toBe(true);
        expect(await other.removeRun(gone)).toBe(true);

        const nothing = { entries: 0, items: 0, found: false, listed: false, current: false, named: false };
        expect(await look(gone)).toEqual(nothing);
        expect(await look(kept)).toEqual({
          entries: 1,
          items: 1,
          found: true,
          listed: true,
          current: true,
          named: true,
        });
        const due = await store.claimDue({ limit: 99, leaseMs: 3_600_000 });
        expect(due.filter(({ subject }) => kept.due.some((item) => item.subject === subject))).toHaveLength(2);
        expect(due.filter(({ subject }) => gone.due.some((item) => item.subject === subject))).toEqual([]);
      });

      it('stays when an entry was written to it meanwhile', async () => {
        const run = await tell(newThread());
        await store.append(appendOf(run.run, 1));

        expect(await store.removeRun(run)).toBe(false);

        expect(await look(run)).toMatchObject({ entries: 2, found: true, current: true });
      });

      it('does not remove the current run of its thread', async () => {
        const thread = newThread();
        const before = await tell(thread);
        const now = await tell(thread);

        await store.removeRun(before);

        expect(await look(now)).toMatchObject({ current: true, entries: 1 });
      });
    });

    describe('a thread in `todo`', () => {
      const hour = 3_600_000;

      it('is claimed by one caller of many', async () => {
        const threads = Array.from({ length: 20 }, () => newThread());
        for (const thread of threads) await store.take({ key: thread, thread, item: '{}' });

        const claims = await Promise.all(
          Array.from({ length: 8 }, (_, index) => (index % 2 ? other : store).claimTodo({ limit: 5, leaseMs: hour })),
        );

        expect(claims.flat().sort()).toEqual([...threads].sort());
        expect(claims.every((claimed) => claimed.length <= 5)).toBe(true);
      });

      it('comes back when its lease is over, and not when the lease was renewed', async () => {
        const thread = newThread();
        await store.take({ key: 'a', thread, item: '{}' });

        expect(await store.claimTodo({ limit: 1, leaseMs: 0 })).toEqual([thread]);
        expect(await other.claimTodo({ limit: 1, leaseMs: 0 })).toEqual([thread]);
        await store.renewTodo(thread, hour);
        expect(await other.claimTodo({ limit: 1, leaseMs: 0 })).toEqual([]);
      });

      it('is claimed by name when it is due, by one caller, and not when it is leased or not listed', async () => {
        const thread = newThread();
        expect(await store.claimThread(thread, hour, 0)).toBe(false);
        await store.take({ key: 'a', thread, item: '{}' });

        const claims = await Promise.all([store, other, store, other].map((one) => one.claimThread(thread, hour, 0)));

        expect(claims.filter(Boolean)).toHaveLength(1);
        expect(await other.claimThread(thread, 0, 0)).toBe(false);
        await store.renewTodo(thread, 0);
        expect(await other.claimThread(thread, hour, 0)).toBe(true);
      });

      it('is claimed as well when its time is further away than any process puts it, unless it is set aside (FT2)', async () => {
        const [thread, near, aside] = [newThread(), newThread(), newThread()];
        for (const one of [thread, near, aside]) await store.take({ key: one, thread: one, item: '{}' });
        await store.renewTodo(thread, hour);
        await store.renewTodo(near, hour / 4);
        await store.setAside(aside, 'waiting');

        expect(await store.claimTodo({ limit: 9, leaseMs: hour / 4, mostMs: hour / 2 })).toEqual([thread]);
        expect(await other.claimTodo({ limit: 9, leaseMs: hour / 4, mostMs: hour / 2 })).toEqual([]);
      });

      it('is not brought back by a renewal after it has left', async () => {
        const thread = newThread();

        await store.renewTodo(thread, 0);

        expect(await store.claimTodo({ limit: 1, leaseMs: 0 })).toEqual([]);
      });

      it('is not taken from its process by an append that puts it on the list', async () => {
        const [thread, later] = [newThread(), newThread()];
        const run = runOf(thread);
        await store.append(appendOf(run, 0, { effects: [{ type: 'todo', thread, inMs: 0 }] }));
        await store.append(appendOf(runOf(later), 0, { effects: [{ type: 'todo', thread: later, inMs: hour }] }));

        expect(await store.claimTodo({ limit: 9, leaseMs: hour })).toEqual([thread]);
        await store.append(appendOf(run, 1, { effects: [{ type: 'todo', thread, inMs: 0 }] }));

        expect(await other.claimTodo({ limit: 9, leaseMs: hour })).toEqual([]);
      });

      it('is in the hand of a process until that lets go or the thread rests, and each that died is counted until it gets further (EDGE-7)', async () => {
        const thread = newThread();
        const run = runOf(thread);
        const take = (by: string, more: { readonly suspectInMs?: number; readonly unsure?: boolean } = {}) =>
          store.takeInHand({ thread, by, leaseMs: 0, earlyMs: 0, ...more });
        expect(await take('A')).toBeUndefined();
        await store.append(appendOf(run, 0, { effects: [{ type: 'todo', thread, inMs: 0 }] }));

        expect(await take('A')).toBe(0);
        expect(await take('A')).toBe(0);
        expect(await take('B', { unsure: true })).toBeUndefined();
        expect(await take('A', { unsure: true })).toBe(0);
        expect(await take('B')).toBe(1);
        await store.letGo(thread, 'B');
        expect(await take('C', { unsure: true })).toBe(1);
        await store.letGo(thread, 'A', hour);
        expect(await take('D')).toBe(1);
        expect(await take('E', { suspectInMs: 0 })).toBeUndefined();
        expect(await take('E')).toBe(2);
        await store.append(appendOf(run, 1, { effects: [{ type: 'got-further', thread }] }));
        expect(await take('F')).toBe(1);
        expect(await store.restTodo({ thread, run: undefined, version: 0, inboxLength: 0 })).toBe(true);
        await store.append(appendOf(run, 2, { effects: [{ type: 'todo', thread, inMs: 0 }] }));
        expect(await take('G')).toBe(0);
      });

      it('counts a death of a process that had another thread in hand half, except as the first (EDGE-7)', async () => {
        const thread = newThread();
        const shardOf = (one: ThreadKey) => shardOfThread(one, store.shards);
        let beside = newThread();
        while (shardOf(beside) !== shardOf(thread)) beside = newThread();
        for (const one of [thread, beside]) await store.take({ key: one, thread: one, item: '{}' });
        const take = (one: ThreadKey, by: string) => store.takeInHand({ thread: one, by, leaseMs: 0, earlyMs: 0 });

        const counts: unknown[] = [];
        for (const by of ['A', 'B', 'C', 'D']) counts.push([await take(thread, by), await take(beside, by)]);
        expect(counts).toEqual([
          [0, 0],
          [1, 1],
          [1, 1],
          [2, 2],
        ]);
        await store.letGo(beside, 'D');
        expect(await take(thread, 'E')).toBe(3);
      });

      it('is claimed once more by the process that has it and missed the answer, and by no other (EDGE-7)', async () => {
        const thread = newThread();
        await store.take({ key: 'a', thread, item: '{}' });
        const claim = { thread, leaseMs: hour, earlyMs: 0 };

        expect(await store.takeInHand({ ...claim, by: 'A' })).toBe(0);
        expect(await store.takeInHand({ ...claim, by: 'A' })).toBe(0);
        expect(await other.takeInHand({ ...claim, by: 'B' })).toBeUndefined();
        await store.letGo(thread, 'A');
        expect(await store.takeInHand({ ...claim, by: 'A' })).toBeUndefined();
      });

      it('is claimed by no process while it is set aside, whatever comes for it, until it is taken up (EDGE-7)', async () => {
        const thread = newThread();
        const run = runOf(thread);
        await store.take({ key: 'a', thread, item: '{}' });
        expect(await store.takeInHand({ thread, by: 'A', leaseMs: 0, earlyMs: 0 })).toBe(0);
        expect(await other.setAside(thread, 'waiting', { by: 'B', deaths: 0 })).toBe(false);
        expect(await other.setAside(thread, 'waiting', { by: 'A', deaths: 1 })).toBe(false);
        expect((await store.thread(thread)).aside).toBeUndefined();
        expect(await other.setAside(thread, 'waiting', { by: 'A', deaths: 0 })).toBe(true);
        await store.take({ key: 'b', thread, item: '{}' });
        await store.append(appendOf(run, 0, { effects: [{ type: 'todo', thread, inMs: 0 }] }));

        expect(await store.claimTodo({ limit: 9, leaseMs: 0 })).toEqual([]);
        expect(await other.claimThread(thread, 0, hour)).toBe(false);
        expect(await other.takeInHand({ thread, by: 'A', leaseMs: 0, earlyMs: hour })).toBeUndefined();
        expect(await other.thread(thread)).toMatchObject({ aside: 'waiting' });
        await store.setAside(thread, 'stopping');
        expect(await other.thread(thread)).toMatchObject({ aside: 'stopping' });

        await store.takeUp(thread, 1);
        expect((await store.thread(thread)).aside).toBeUndefined();
        expect(await store.takeInHand({ thread, by: 'A', leaseMs: hour, earlyMs: 0 })).toBe(1);
        await other.takeUp(thread, 1);
        expect(await other.takeInHand({ thread, by: 'B', leaseMs: 0, earlyMs: 0 })).toBeUndefined();
      });

      it('is taken up for any process while the one that has it in hand tells that it is set aside (EDGE-7)', async () => {
        const thread = newThread();
        await store.take({ key: 'a', thread, item: '{}' });
        for (const by of ['A', 'B', 'C']) await store.takeInHand({ thread, by, leaseMs: 0, earlyMs: 0 });
        expect(await other.thread(thread)).toMatchObject({ deaths: 2 });

        await other.takeUp(thread, 1);
        expect(await store.setAside(thread, 'waiting', { by: 'C', deaths: 2 })).toBe(false);
        expect(await other.takeInHand({ thread, by: 'D', leaseMs: 0, earlyMs: 0 })).toBe(1);
        expect((await store.thread(thread)).aside).toBeUndefined();
      });

      it('is abandoned without its run and its inbox, and its journal stays (D8, EDGE-7)', async () => {
        const thread = newThread();
        const run = runOf(thread);
        await store.append(appendOf(run, 0, { effects: [{ type: 'current-run', thread, run }] }));
        await store.take({ key: 'a', thread, item: '{}' });
        await store.setAside(thread, 'waiting');
        await store.abandon(thread, run);

        const standing = async () => {
          const { currentRun, inbox, aside } = await other.thread(thread);
          return { currentRun, inbox: inbox.length, aside };
        };
        expect(await standing()).toEqual({ inbox: 0, aside: 'left' });
        expect(await store.claimThread(thread, 0, 0)).toBe(true);
        await store.takeUp(thread, 'told');
        await store.take({ key: 'b', thread, item: '{}' });
        await store.setAside(thread, 'waiting');
        await store.takeUp(thread, 'told');
        expect(await store.abandon(thread, run)).toBe(false);
        expect(await standing()).toEqual({ inbox: 1, aside: 'waiting' });
        expect(await store.abandon(thread, undefined)).toBe(true);
        expect(await standing()).toEqual({ inbox: 0, aside: 'left' });
        expect((await store.read(run)).version).toBe(1);
      });

      it('keeps what came into its inbox after the caller had read it, where it is abandoned (D8, EDGE-7)', async () => {
        const thread = newThread();
        for (const key of ['a', 'b', 'c']) await store.take({ key, thread, item: '{}' });
        await store.setAside(thread, 'waiting');

        expect(await store.abandon(thread, undefined, 2)).toBe(true);
        expect(await other.thread(thread)).toMatchObject({ aside: 'left', inbox: [{ key: 'c' }] });
      });

      it('is left already where it has no run and its one death was none (D8, EDGE-7)', async () => {
        const thread = newThread();
        await store.take({ key: 'a', thread, item: '{}' });
        await store.takeInHand({ thread, by: 'one', leaseMs: 0, earlyMs: 0 });
        await other.takeInHand({ thread, by: 'two', leaseMs: 60_000, earlyMs: 0 });
        await store.letGo(thread, 'one');

        expect(await store.abandon(thread, runOf(thread))).toBe(true);
      });

      it('is left until it is taken up, and loses nothing that comes meanwhile (D8, EDGE-7)', async () => {
        const thread = newThread();
        await store.take({ key: 'a', thread, item: '{}' });
        await store.setAside(thread, 'waiting');
        expect(await store.abandon(thread, undefined)).toBe(true);

        await store.take({ key: 'b', thread, item: '{}' });
        expect(await other.abandon(thread, undefined)).toBe(true);
        expect(await other.restTodo({ thread, run: undefined, version: 0, inboxLength: 1 })).toBe(false);
        expect(await other.setAside(thread, 'waiting')).toBe(false);
        await other.takeUp(thread, 0);
        expect(await store.takeInHand({ thread, by: 'A', leaseMs: 0, earlyMs: 0 })).toBe(0);
        expect(await other.thread(thread)).toMatchObject({ aside: 'left', inbox: [{ key: 'b' }] });

        await store.takeUp(thread, 'told');
        expect((await other.thread(thread)).aside).toBeUndefined();
        expect(await other.claimThread(thread, hour, 0)).toBe(true);
      });

      it('is not abandoned where another process has begun a run in it meanwhile (EDGE-7, D9)', async () => {
        const thread = newThread();
        const run = runOf(thread);
        await store.take({ key: 'a', thread, item: '{}' });
        await other.append(appendOf(run, 0, { effects: [{ type: 'current-run', thread, run }] }));

        expect(await store.abandon(thread, undefined)).toBe(false);
        expect(await store.abandon(thread, runOf(thread))).toBe(false);
        expect(await store.thread(thread)).toMatchObject({ currentRun: run, inbox: [{ key: 'a' }] });
        expect(await other.claimThread(thread, hour, 0)).toBe(true);
      });

      it('is claimed a little early by a caller with that permission, and never from another process', async () => {
        const thread = newThread();
        await store.append(appendOf(runOf(thread), 0, { effects: [{ type: 'todo', thread, inMs: hour / 2 }] }));

        expect(await other.claimThread(thread, hour, hour / 4)).toBe(false);
        expect(await store.claimThread(thread, 2 * hour, hour)).toBe(true);
        expect(await other.claimThread(thread, hour, hour)).toBe(false);
      });

      it('rests only when nothing has happened since (D9)', async () => {
        const thread = newThread();
        const run = runOf(thread);
        await store.append(
          appendOf(run, 0, {
            effects: [
              { type: 'todo', thread, inMs: 0 },
              { type: 'current-run', thread, run },
            ],
          }),
        );
        const seen = { thread, run, version: 1, inboxLength: 0 };

        expect(await store.restTodo({ ...seen, run: undefined })).toBe(false);
        expect(await store.restTodo({ ...seen, run: runOf(thread) })).toBe(false);
        expect(await store.restTodo({ ...seen, version: 0 })).toBe(false);
        expect(await store.restTodo({ ...seen, inboxLength: 1 })).toBe(false);
        expect(await store.claimTodo({ limit: 1, leaseMs: 0 })).toEqual([thread]);

        expect(await store.restTodo(seen)).toBe(true);
        expect(await store.claimTodo({ limit: 1, leaseMs: 0 })).toEqual([]);
      });

      it('does not rest while it is set aside (P29, EDGE-7)', async () => {
        const thread = newThread();
        await store.setAside(thread, 'waiting');
        const seen = { thread, run: undefined, version: 0, inboxLength: 0 };

        expect(await store.restTodo(seen)).toBe(false);
        expect(await other.thread(thread)).toMatchObject({ aside: 'waiting' });
        await other.takeUp(thread, 0);
        expect(await store.restTodo(seen)).toBe(true);
      });

      it('is not put to rest by a process that has not seen a delivery of that moment (D9)', async () => {
        for (let round = 0; round < 50; round += 1) {
          const thread = newThread();
          const seen = { thread, run: undefined, version: 0, inboxLength: 0 };

          await Promise.all([store.restTodo(seen), other.take({ key: thread, thread, item: '{}' })]);

          expect(await store.claimTodo({ limit: 1, leaseMs: hour })).toEqual([thread]);
        }
      });
    });

    describe('an item with a time', () => {
      it('is claimed when it is due, the oldest first, until an append removes it', async () => {
        const thread = newThread();
        const run = runOf(thread);
        const first = newApproval(store, thread);
        const { nowMs } = await store.read(run);
        const items = [
          { item: { what: 'reminder', subject: first }, atMs: 2 },
          { item: { what: 'expiry', subject: first }, atMs: 1 },
          { item: { what: 'retention', subject: run }, atMs: 3 },
          { item: { what: 'expiry', subject: newApproval(store, thread) }, atMs: nowMs + 3_600_000 },
        ] as const;
        await store.append(appendOf(run, 0, { effects: items.map((due) => ({ type: 'due', ...due })) }));

        expect(await store.claimDue({ limit: 2, leaseMs: 3_600_000 })).toEqual([items[1].item, items[0].item]);
        expect(await other.claimDue({ limit: 9, leaseMs: 0 })).toEqual([items[2].item]);
        expect(await other.claimDue({ limit: 9, leaseMs: 0 })).toEqual([items[2].item]);

        await store.append(appendOf(run, 1, { effects: [{ type: 'not-due', item: items[2].item }] }));
        expect(await store.claimDue({ limit: 9, leaseMs: 0 })).toEqual([]);
      });

      it('can be moved', async () => {
        const thread = newThread();
        const run = runOf(thread);
        const item = { what: 'expiry', subject: newApproval(store, thread) } as const;
        const { nowMs } = await store.read(run);

        await store.append(appendOf(run, 0, { effects: [{ type: 'due', item, atMs: 1 }] }));
        await store.append(appendOf(run, 1, { effects: [{ type: 'due', item, atMs: nowMs + 3_600_000 }] }));

        expect(await store.claimDue({ limit: 9, leaseMs: 0 })).toEqual([]);
      });

      it('is moved or dropped without an append, and not brought back by moving it', async () => {
        const thread = newThread();
        const run = runOf(thread);
        const item = { what: 'retention', subject: run } as const;
        await store.append(appendOf(run, 0, { effects: [{ type: 'due', item, atMs: 1 }] }));

        await store.moveDue(item, 3_600_000);
        expect(await other.claimDue({ limit: 9, leaseMs: 0 })).toEqual([]);
        await store.moveDue(item, 0);
        expect(await other.claimDue({ limit: 9, leaseMs: 0 })).toEqual([item]);
        await store.moveDue(item, 'never');
        await store.moveDue(item, 0);
        expect(await other.claimDue({ limit: 9, leaseMs: 0 })).toEqual([]);
      });

      it('has one winner between a press and the expiry at one instant, a hundred times (FT3)', async () => {
        for (let round = 0; round < 100; round += 1) {
          const run = runOf();
          const { nowMs } = await store.read(run);

          const answers = await Promise.all([
            store.append(appendOf(run, 0, { notAfterMs: nowMs })),
            other.append(appendOf(run, 0)),
          ]);

          expect(answers.filter(({ type }) => type === 'ok')).toHaveLength(1);
          expect(await versionOf(run)).toBe(1);
        }
      });
    });

    describe('an index list', () => {
      it('has each member once', async () => {
        const grant = newGrant(store);
        const index = { what: 'grants', of: 'T1:channel:C1' } as const;
        const add = (member: string): Effect => ({ type: 'member', index, member });
        await store.append(appendOf(grant, 0, { effects: [add('one'), add('two'), add('ünï')] }));
        await store.append(appendOf(grant, 1, { effects: [add('one'), { type: 'not-member', index, member: 'two' }] }));

        expect([...(await other.members(index))].sort()).toEqual(['one', 'ünï']);
        expect(await other.members(index, 1)).toHaveLength(1);
        expect(await other.members(index, 2)).toHaveLength(2);
        expect(await other.members({ what: 'grants', of: 'T1:channel:C2' })).toEqual([]);
        expect(await other.members({ what: 'waiting', of: 'T1:channel:C1' })).toEqual([]);
      });

      it('loses a member without an append, from each list that names it (D9)', async () => {
        const grant = newGrant(store);
        const lists = ['T1:channel:C1', 'T1:given'].map((of) => ({ what: 'grants', of }) as const);
        const add = (member: string): Effect[] => lists.map((index) => ({ type: 'member', index, member }));
        await store.append(appendOf(grant, 0, { effects: [...add('one'), ...add('two')] }));

        await store.leaveLists(lists.map((index) => ({ index, member: 'one' })));
        await other.leaveLists(lists.map((index) => ({ index, member: 'one' })));

        expect(await Promise.all(lists.map((index) => other.members(index)))).toEqual([['two'], ['two']]);
      });

      it('of places gives away as many as there are, however many callers come at the same instant (P64)', async () => {
        const index = { what: 'places', of: 'T1:calls:UANN' } as const;
        const take = (at: Store, member: string) => at.takePlace({ index, member, most: 3 });
        const names = Array.from({ length: 12 }, (_, n) => `run/${n}`);

        const answers = await Promise.all(names.map((name, n) => take(n % 2 === 0 ? store : other, name)));
        expect(answers.filter(Boolean)).toHaveLength(3);
        const inside = names.filter((_, n) => answers[n]);
        expect([...(await other.members(index))].sort()).toEqual([...inside].sort());

        // A member keeps its place, even if the limit is lower now.
        expect(await other.takePlace({ index, member: inside[0] ?? '', most: 1 })).toBe(true);
        expect(await take(other, 'one more')).toBe(false);
        expect(await other.takePlace({ index, member: 'one more', most: 4 })).toBe(true);
        expect(await take(store, '')).toBe(false);
      });

      it('of trusts names its team', async () => {
        const effects: Effect[] = [{ type: 'member', index: { what: 'grants', of: 'nowhere' }, member: 'one' }];

        await expect(store.append(appendOf(newGrant(store), 0, { effects }))).rejects.toThrow(/names no team/);
      });
    });

    describe('a hint', () => {
      const listen = async (at: Store) => {
        const hints: Hint[] = [];
        const gaps: number[] = [];
        // Whether a hint brings entries is up to the engine.
        const onHint = ({ entries: _entries, ...hint }: Hint) => hints.push(hint);
        const watch = await at.watch({ onHint, onGap: () => gaps.push(hints.length) });
        return { hints, gaps, watch };
      };
      const news = () => {
        const thread = newThread();
        const hint: Hint = { thread, run: newRun(store, thread), version: 1 };
        return { hint, request: appendOf(hint.run, 0, { effects: [{ type: 'hint', hint }] }) };
      };

      it('reaches every watcher in this and other processes, and the writer learns that there was one', async () => {
        const here = await listen(store);
        const there = await listen(other);
        const { hint, request } = news();

        const answer = await store.append(request);

        expect(answer.type === 'ok' && answer.receivers > 0).toBe(true);
        await expect.poll(() => [here.hints, there.hints]).toEqual([[hint], [hint]]);
      });

      it('reaches no process when none watches, and the writer learns that too', async () => {
        const { watch, hints } = await listen(other);
        await watch.close();
        const { hint } = news();
        let version = 0;
        const publish = async () => {
          const answer = await store.append(appendOf(hint.run, version, { effects: [{ type: 'hint', hint }] }));
          version += 1;
          return answer;
        };

        // The server may learn a moment later than we do that the connection is closed.
        await expect.poll(publish).toMatchObject({ type: 'ok', receivers: 0 });
        expect(hints).toEqual([]);
      });

      it('begins with a gap, because earlier hints may have been missed', async () => {
        const first = await listen(store);
        const second = await listen(store);

        await expect.poll(() => [first.gaps.length > 0, second.gaps.length > 0]).toEqual([true, true]);
        await first.watch.close();
        await second.watch.close();
      });

      it('is not published by an append that was not written', async () => {
        const { hints } = await listen(other);
        const { request, hint } = news();
        const last = news();

        await store.append({ ...request, notAfterMs: 1 });
        await store.append({ ...request, expectedVersion: 3 });
        await store.append(last.request);

        await expect.poll(() => hints).toEqual([last.hint]);
        expect(hints).not.toContainEqual(hint);
      });

      it('of one watch goes on when another watch is closed', async () => {
        const staying = await listen(store);
        const leaving = await listen(store);
        await leaving.watch.close();
        const { hint, request } = news();

        await store.append(request);

        await expect.poll(() => staying.hints).toEqual([hint]);
        expect(leaving.hints).toEqual([]);
      });
    });

    it.each(['sealing', 'owner'] as const)(
      'the record of its %s is written only in the place of what its writer read, by one of many writers (EDGE-1)',
      async (of) => {
        expect(await store.record(of)).toBeUndefined();
        const first = await Promise.all(
          ['a', 'b', 'c'].map((text, n) => (n === 1 ? other : store).writeRecord(of, text, undefined)),
        );
        expect(first.filter(Boolean)).toHaveLength(1);
        const there = await other.record(of);
        expect(there).toBe(['a', 'b', 'c'][first.indexOf(true)]);

        expect(await store.writeRecord(of, 'next', 'not there')).toBe(false);
        expect(await store.writeRecord(of, 'next', there)).toBe(true);
        // The reply was lost, and the writer sends it again.
        expect(await other.writeRecord(of, 'next', there)).toBe(true);
        expect(await other.record(of)).toBe('next');
      },
    );

    describe('a text that is encrypted anew', () => {
      const everywhere = async () => {
        const thread = newThread();
        const run = runOf(thread);
        await store.append(appendOf(run, 0, { id: 'e0', text: 'first', items: ['one', 'two'] }));
        await store.append(appendOf(run, 1, { id: 'e1', text: 'a text' }));
        const team: Effect = { type: 'member', index: { what: 'installations', of: 'T1:' }, member: 'a text' };
        await store.append(appendOf(newGrant(store), 0, { effects: [team] }));
        await store.take({ key: 'k', thread, item: 'a text' });
        await store.take({ key: 'other', thread, item: 'a text' });
        return { thread, run };
      };

      it('stands in the place of what it was, and nowhere else (EDGE-1)', async () => {
        const { thread, run } = await everywhere();
        const places: readonly StoredText[] = [
          { type: 'entry', journal: run, position: 1 },
          { type: 'inbox', thread, key: 'k' },
          { type: 'installation', index: { what: 'installations', of: 'T1:' } },
        ];
        for (const at of places) {
          expect(await store.reseal(at, 'another text', 'anew')).toBe(false);
          expect(await other.reseal(at, 'a text', 'anew')).toBe(true);
          // The reply was lost, and the caller sends it again.
          expect(await store.reseal(at, 'a text', 'anew')).toBe(true);
        }
        expect(await store.reseal({ type: 'item', run, position: 1 }, 'two', 'anew')).toBe(true);
        expect(await store.reseal({ type: 'item', run, position: 2 }, 'two', 'anew')).toBe(false);
        expect(await store.reseal({ type: 'entry', journal: run, position: 2 }, 'a text', 'anew')).toBe(false);

        expect((await other.read(run)).entries).toEqual([
          { id: 'e0', text: 'first' },
          { id: 'e1', text: 'anew' },
        ]);
        expect(await other.readItems(run)).toEqual(['one', 'anew']);
        expect((await other.thread(thread)).inbox).toEqual([
          { key: 'k', item: 'anew' },
          { key: 'other', item: 'a text' },
        ]);
        expect(await other.members({ what: 'installations', of: 'T1:' })).toEqual(['anew']);
      });
    });

    it('lists the threads whose inbox is not empty (EDGE-1)', async () => {
      const [full, emptied, unread] = [newThread(), newThread(), newThread()];
      await store.take({ key: 'one', thread: full, item: '1' });
      await store.take({ key: 'two', thread: emptied, item: '2' });
      await store.take({ key: 'three', thread: unread });
      const effects: Effect[] = [{ type: 'drop-inbox', thread: emptied, keys: ['two'] }];
      await store.append(appendOf(runOf(emptied), 0, { effects }));

      const found = await other.inboxes();
      expect([full, emptied, unread].map((thread) => found.includes(thread))).toEqual([true, false, false]);
    });

    it('is healthy', async () => {
      expect((await store.health()).warnings).toEqual([]);
    });

    it('refuses everything after it was closed, and can be closed twice', async () => {
      await store.close();
      await store.close();

      await expect(store.read(runOf())).rejects.toThrow();
      await expect(store.append(appendOf(runOf(), 0))).rejects.toThrow();
    });
  });
}
