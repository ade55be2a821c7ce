import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { WorkspaceBody } from '../../../app/journal/facts/workspace.ts';
import { hashLine, readLine } from '../../../app/journal/line/line.ts';
import { createArchive } from '../../../app/keeping/archive.ts';
import { readArchive } from '../../../app/keeping/archive-file.ts';
import { verify } from '../../../app/keeping/audit/verify.ts';
import { retire } from '../../../app/keeping/retention.ts';
import { silentLog } from '../../../app/log.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import { createSeals } from '../../../app/recorder/seals.ts';
import { createWorkspaceJournal } from '../../../app/recorder/workspace-journal.ts';
import { type RunId, threadKey } from '../../../app/records/index.ts';
import type { AtStep } from '../../../app/step.ts';
import { workspaceOf } from '../../../app/store/keys.ts';
import type { JournalPage, Store } from '../../../app/store/store.ts';
import { grantId, HOUR_MS, itemsFor, runId, started, THREAD, turn, user } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';

const RUN = runId(1);

let folder: string;
let clock = testClock(1_000);
let store: Store;
let ids = 0;
let shown: string[] = [];
const entryId = () => {
  ids += 1;
  return `id-${ids}`;
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-archive-'));
  shown = [];
  clock = testClock(1_000);
  store = createModelStore(clock);
  const journal = journalIn(store)(RUN);
  const entries = [started, turn(1), { type: 'run-finished' as const }];
  await journal.commit(() => ({ entries, items: itemsFor(undefined, entries), result: undefined }));
  await sealsOn(store).begin(journal);
  await sealsOn(store).seal(journal);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const journalIn = (where: Store) => (run: RunId) => openRunJournal({ store: where, entryId, elapsed: clock.now }, run);

const sealsOn = (where: Store) =>
  createSeals({
    workspaces: createWorkspaceJournal({ store: where, entryId }),
    store: where,
    before: async () => {},
    retainMs: HOUR_MS,
    step: () => {},
  });

const retireOn = (run: RunId, where: Store, to: string | undefined = folder, step: AtStep = () => {}) =>
  retire(
    {
      store: where,
      surface: { status: async ({ ts }, status) => void shown.push(`${ts} ${status}`) },
      journalOf: journalIn(where),
      seals: sealsOn(where),
      copies: { settle: async () => 'paid' },
      archive: to === '' ? undefined : createArchive({ store: where, folder: to }),
      log: silentLog,
      step,
    },
    run,
  );

const due = () => store.claimDue({ limit: 9, leaseMs: 0 });
const isThere = async () => (await store.read(RUN)).version > 0;
const kept = () => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

describe('a run whose time is over', () => {
  it('is archived, named in the journal of its workspace and removed, and the audit does not miss it', async () => {
    clock.advance(HOUR_MS);
    expect(await due()).toEqual([{ what: 'retention', subject: RUN }]);

    await retireOn(RUN, store);

    expect(await isThere()).toBe(false);
    expect(await due()).toEqual([]);
    const { run, lines } = archiveIn(content());
    expect(run).toBe(RUN);
    expect(lines.map((line) => JSON.parse(line).body.type)).toEqual([
      'run-started',
      'turn-answered',
      'run-finished',
      'sealed',
    ]);
    expect((await verify(store, { folder })).findings).toEqual([]);
  });

  it('is reported as missing by the audit when it was removed by hand, once, as is a trust', async () => {
    const trustEnd = { type: 'trust-ended' as const, grant: grantId(), by: user('ANN'), version: 2, head: 'h' };
    await createWorkspaceJournal({ store, entryId }).append(workspaceOf(THREAD.team, store.shards), trustEnd);
    await store.removeRun({ run: RUN, version: 4, thread: threadKey(THREAD), approvals: [], due: [], members: [] });

    expect((await verify(store, { folder })).findings).toEqual([
      `${grantId()}: was removed. It had 2 entries when it ended.`,
      `${RUN}: was removed. It had 4 entries when it ended.`,
    ]);
  });

  it.each<[string, (name: RunId) => Partial<Store>]>([
    [
      'before its entries are read',
      (name) => ({
        journals: async (kind) => {
          const journals = await store.journals(kind);
          if (kind === 'run') await retireOn(name, store);
          return journals;
        },
      }),
    ],
    [
      'between its entries and its items',
      (name) => ({
        readItems: async (run) => {
          await retireOn(name, store);
          return store.readItems(run);
        },
      }),
    ],
  ])('is not missed by an audit that is at work while a bot removes it, %s (EDGE-2)', async (_when, meanwhile) => {
    clock.advance(HOUR_MS);
    const last = hashLine(await lastLine());

    const report = await verify({ ...store, ...meanwhile(RUN) }, { folder, kept: [last] });

    expect(await isThere()).toBe(false);
    expect(report).toMatchObject({ findings: [], kept: [`${last} is entry 3 of ${RUN}`] });
  });

  it('is whole, or gone and accounted for, wherever the process dies, and is gone after the next try (FK22)', async () => {
    clock.advance(HOUR_MS);
    let died = true;
    for (let at = 1; died; at += 1) {
      const before = store;
      died = false;
      try {
        await retireOn(RUN, dyingAt(before, at));
      } catch {
        died = true;
      }
      const { findings } = await verify(before, { folder });
      expect(findings, `dead at call ${at}`).toEqual([]);
      if (!(await isThere())) expect(kept()).toEqual([`${RUN}.jsonl`]);
      if (died) expect((await due()).length > 0 || !(await isThere())).toBe(true);
    }

    await retireOn(RUN, store);
    expect(await isThere()).toBe(false);
    expect(await due()).toEqual([]);
    expect((await verify(store, { folder })).findings).toEqual([]);
  });

  it('is named once more, with its last state, by the process that comes after a death in between, and goes once (FK22)', async () => {
    clock.advance(HOUR_MS);
    const dying = (at: string) => {
      if (at === 'run-retired') throw new Error('The process died.');
    };
    await expect(retireOn(RUN, store, folder, dying)).rejects.toThrow('died');
    // A press on what is long over is still written down.
    await journalIn(store)(RUN).commit(() => ({ entries: [late], result: undefined }));
    const gone = { version: (await store.read(RUN)).version, head: hashLine(await lastLine()) };

    // Two that found it due at the same time, and whoever is told of it once more.
    await Promise.all([retireOn(RUN, store), retireOn(RUN, store)]);
    await retireOn(RUN, store);

    const said = await retirements();
    expect(said.length).toBeGreaterThan(1);
    expect(said.at(-1)).toMatchObject(gone);
    expect(await isThere()).toBe(false);
    expect(hashLine(archiveIn(content()).lines.at(-1) ?? '')).toBe(gone.head);
    expect(kept()).toEqual([`${RUN}.jsonl`]);
    const { findings, notes } = await verify(store, { folder });
    expect([findings, notes]).toEqual([[], []]);
  });
});

const archiveIn = (text: string) => {
  const archived = readArchive(text);
  if (typeof archived === 'string') throw new Error(archived);
  return archived;
};

const content = () => readFileSync(join(folder, `${RUN}.jsonl`), 'utf8');

describe('the archive', () => {
  it('holds the lines of the journal and the items as they were stored, and each time the same bytes (EDGE-2)', async () => {
    const { entries } = await store.read(RUN);
    const archive = createArchive({ store, folder });

    const kept = await archive.keep(RUN, 4);
    const first = content();
    expect(await archive.keep(RUN, 4)).toEqual(kept);

    expect(content()).toBe(first);
    expect(archiveIn(first)).toEqual({
      run: RUN,
      lines: entries.map(({ text }) => text),
      items: await store.readItems(RUN),
    });
    expect(kept).toEqual({ file: `${RUN}.jsonl`, sha256: createHash('sha256').update(first).digest('hex') });
  });

  it.each<[string, (lines: readonly string[]) => readonly string[], RegExp]>([
    [
      'is that of another run',
      ([, ...rest]) => [`{"archive":1,"run":"${runId(2)}"}`, ...rest],
      /does not hold the run/,
    ],
    ['lacks an entry', (lines) => lines.toSpliced(2, 1), /does not hold the run as it was when it was removed/],
    ['has another last entry', (lines) => lines.with(4, lines[3] ?? ''), /does not hold the run as it was/],
    ['is no archive', ([, ...rest]) => rest, /its first line is not that of an archive/],
    ['lacks an item', (lines) => lines.toSpliced(-1, 1, '{"item":1,"text":""}'), /line 6 is neither the next line/],
  ])(
    'is found by the audit when it %s, also when its hash on record was made to fit (EDGE-2)',
    async (_what, change, says) => {
      clock.advance(2 * HOUR_MS);
      await retireOn(RUN, store);
      const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
      const before = hashOf(content());
      writeFileSync(join(folder, `${RUN}.jsonl`), change(content().trimEnd().split('\n')).join('\n'));
      const fitted: Store = {
        ...store,
        read: async (...about) => {
          const page = await store.read(...about);
          const entries = page.entries.map(({ id, text }) => ({ id, text: text.replace(before, hashOf(content())) }));
          return { ...page, entries };
        },
      };

      expect((await verify(fitted, { folder })).findings).toEqual([expect.stringMatching(says)]);
    },
  );

  it('is closed to other accounts, because it holds every word in clear (EDGE-2)', async () => {
    const inside = join(folder, 'made');

    await createArchive({ store, folder: inside }).keep(RUN, 4);

    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect([modeOf(inside), modeOf(join(inside, `${RUN}.jsonl`))]).toEqual([0o700, 0o600]);
  });

  it('is not written for another version of the journal than the one that is retired (EDGE-2)', async () => {
    const archive = createArchive({ store, folder });
    await journalIn(store)(RUN).commit(() => ({ entries: [late], result: undefined }));

    expect(await archive.keep(RUN, 4)).toBe('grown');
    expect(kept()).toEqual([]);
  });

  it('is not replaced by a shorter one of a slower process (EDGE-2)', async () => {
    const early: Store = { ...store, read: async (name) => shortened(await store.read(name), 4) };
    await journalIn(store)(RUN).commit(() => ({ entries: [late], result: undefined }));
    await createArchive({ store, folder }).keep(RUN, 5);
    const whole = content();

    expect(await createArchive({ store: early, folder }).keep(RUN, 4)).toBe('grown');
    expect(content()).toBe(whole);
  });

  it('is named in the entry that records the removal, with the hash of its file (EDGE-2)', async () => {
    clock.advance(HOUR_MS);

    await retireOn(RUN, store);

    const sha256 = createHash('sha256').update(content()).digest('hex');
    expect(await retirements()).toMatchObject([{ archive: { file: `${RUN}.jsonl`, sha256 } }]);
  });

  it('is kept when a slow process exports a run that another one has removed', async () => {
    clock.advance(HOUR_MS);
    let removed = false;
    const slow: Store = {
      ...store,
      journals: store.journals,
      read: async (journal, from) => {
        const page = await store.read(journal, from);
        // It has looked at the run; meanwhile another process has removed it.
        if (!removed && journal === RUN && from === Number.MAX_SAFE_INTEGER) {
          removed = true;
          await retireOn(RUN, store);
        }
        return page;
      },
    };

    await retireOn(RUN, slow);

    expect(await isThere()).toBe(false);
    expect(readFileSync(join(folder, `${RUN}.jsonl`), 'utf8')).toContain('run-finished');
    expect(readdirSync(folder)).toEqual([`${RUN}.jsonl`]);
    expect(await retirements()).toHaveLength(1);
  });
});

const late: EntryBody = { type: 'feedback-given', about: 'reply/1', by: user('ANN'), opinion: 'good' };

const shortened = (page: JournalPage, version: number): JournalPage => ({
  ...page,
  entries: page.entries.slice(0, version),
  version,
});

async function lastLine(): Promise<string> {
  return (await store.read(RUN)).entries.at(-1)?.text ?? '';
}

async function retirements() {
  const { entries } = await store.read(workspaceOf(THREAD.team, store.shards));
  return entries.map(({ text }) => readLine(WorkspaceBody, text).entry).filter((entry) => entry.type === 'run-retired');
}

describe('a thread', () => {
  const thread = threadKey(THREAD);
  const CLOSED = [`${THREAD.ts} closed`];
  const laterRun = async () => {
    const later = runId(2);
    const journal = journalIn(store)(later);
    await journal.commit(() => ({ entries: [{ ...started, run: later, previous: RUN }], result: undefined }));
  };

  it('is closed when the last known run in it is removed', async () => {
    clock.advance(HOUR_MS);

    await retireOn(RUN, store);

    expect(shown).toEqual(CLOSED);
  });

  it('is not closed while a later run in it is known', async () => {
    await laterRun();
    clock.advance(HOUR_MS);

    await retireOn(RUN, store);

    expect(await isThere()).toBe(false);
    expect(shown).toEqual([]);
  });

  it('is not closed when a person has just written in it', async () => {
    clock.advance(HOUR_MS);
    await store.take({ key: 'm/2', thread, item: '{}' });

    await retireOn(RUN, store);

    expect(await isThere()).toBe(false);
    expect(shown).toEqual([]);
  });

  it('is not closed when its run is left alone', async () => {
    await retireOn(RUN, store);

    expect(shown).toEqual([]);
  });
});

describe('a run is kept', () => {
  it('before its time by the clock of the store', async () => {
    clock.advance(HOUR_MS - 10_000);

    await retireOn(RUN, store);

    expect(await isThere()).toBe(true);
  });

  it('when retention is off now, whatever held when the run ended', async () => {
    clock.advance(HOUR_MS);

    await retireOn(RUN, store, '');

    expect(await isThere()).toBe(true);
    // It comes up again, in case that is changed back, and not all the time.
    expect(await due()).toEqual([]);
    clock.advance(HOUR_MS);
    expect(await due()).toHaveLength(1);
  });

  it('when it cannot be exported, and is read again for that an hour later (EDGE-2)', async () => {
    clock.advance(HOUR_MS);

    await expect(retireOn(RUN, store, '/dev/null/nowhere')).rejects.toThrow();

    expect(await isThere()).toBe(true);
    expect(await due()).toEqual([]);
    clock.advance(HOUR_MS);
    expect(await due()).toHaveLength(1);
  });

  it('when the store fails while it is exported, and is tried again soon (FK22)', async () => {
    clock.advance(HOUR_MS);
    const away = { ...store, readItems: () => Promise.reject(new Error('The store is away.')) };

    await expect(retireOn(RUN, away)).rejects.toThrow('away');

    expect(await due()).toHaveLength(1);
  });

  it('while it has not ended', async () => {
    const open = runId(2);
    const journal = journalIn(store)(open);
    await journal.commit(() => ({ entries: [{ ...started, run: open }], result: undefined }));
    clock.advance(10 * HOUR_MS);

    await retireOn(open, store);

    expect((await store.read(open)).version).toBe(1);
  });
});

/** A process that dies at its n-th call of the store: before it, or with the answer lost behind it. */
function dyingAt(inner: Store, n: number): Store {
  let calls = 0;
  return new Proxy(inner, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return async (...args: readonly unknown[]) => {
        calls += 1;
        const half = Math.ceil(n / 2);
        if (calls === half && n % 2 === 1) throw new Error('The process died.');
        const answer: unknown = await Reflect.apply(value, target, args);
        if (calls === half) throw new Error('The process died.');
        return answer;
      };
    },
  });
}
