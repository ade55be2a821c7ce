import { spawnSync } from 'node:child_process';
import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import { readWish, runAudit } from '../../../app/commands/audit.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { TrustEntryBody as GrantSchema, type TrustEntryBody } from '../../../app/journal/facts/trusts.ts';
import { evolveTrust } from '../../../app/journal/fold/trusts.ts';
import { hashLine, NO_HEAD, writeLines } from '../../../app/journal/line/line.ts';
import { trustEffects } from '../../../app/journal/owed/trusts.ts';
import { exportLines, tailLines } from '../../../app/keeping/audit/export.ts';
import { verify } from '../../../app/keeping/audit/verify.ts';
import { createRecorder } from '../../../app/recorder/recorder.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import { createSeals } from '../../../app/recorder/seals.ts';
import { createWorkspaceJournal } from '../../../app/recorder/workspace-journal.ts';
import { type JournalName, type RunId, threadKey } from '../../../app/records/index.ts';
import { createSecretBox } from '../../../app/secrets/index.ts';
import { workspaceOf } from '../../../app/store/keys.ts';
import { entryAt, sealText } from '../../../app/store/sealed-text.ts';
import type { Store } from '../../../app/store/store.ts';
import { canonicalCall } from '../../../interventions/index.ts';
import {
  approvalId,
  asked,
  grantId,
  HOUR_MS,
  itemsFor,
  runId,
  started,
  THREAD,
  turn,
  user,
} from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';

const digest = createHash('sha256')
  .update(canonicalCall({ name: 'deploy', input: { to: 'secret-place' } }))
  .digest('hex');
const WORKSPACE = workspaceOf('T1', 1);

const decided: EntryBody = { type: 'call-decided', approval: approvalId(), verdict: 'approve', by: user('BEN') };
const begun: EntryBody = {
  type: 'call-started',
  call: '1/a',
  attempt: 't1',
  tool: 'deploy',
  digest,
  grant: { type: 'approval', approval: approvalId() },
};
const finished: EntryBody = { type: 'call-finished', call: '1/a', attempt: 't1', ok: true, ms: 5, item: 1 };
const late: EntryBody = {
  type: 'press-refused',
  approval: approvalId(),
  by: user('EVE'),
  verdict: 'approve',
  why: 'not theirs',
};
/** A run from its first message to its end. */
const STORY: readonly EntryBody[] = [
  started,
  turn(1, 'a'),
  asked({ digest, input: { text: '{"to":"secret-place"}' } }),
  late,
  decided,
  begun,
  finished,
  { type: 'run-finished' },
];

let store: Store;
let ids = 0;
const clock = testClock(1_000);
const entryId = () => {
  ids += 1;
  return `id-${ids}`;
};

const sealsOf = (store: Store) =>
  createSeals({
    workspaces: createWorkspaceJournal({ store, entryId }),
    store,
    before: async () => {},
    step: () => {},
  });

async function tell(run: RunId, story: readonly EntryBody[]): Promise<void> {
  const journal = openRunJournal({ store, entryId, elapsed: clock.now }, run);
  for (const body of story) {
    clock.advance(1_000);
    await journal.commit((state) => ({ entries: [body], items: itemsFor(state, [body]), result: undefined }));
    if (body.type === 'run-started') await sealsOf(store).begin(journal);
  }
  if (journal.state()?.status.type !== 'running') await sealsOf(store).seal(journal);
}

const startedAs = (run: RunId): EntryBody => ({ type: 'run-started', run, thread: THREAD, requester: user('ANN') });

beforeEach(async () => {
  store = createModelStore(clock);
  await tell(runId(1), STORY);
  await tell(runId(2), [startedAs(runId(2)), ...STORY.slice(1)]);
});

type Line = { readonly id: string; readonly text: string };

/** The same store after a person changed its content. */
function tampered(name: JournalName, change: (lines: readonly Line[]) => readonly Line[], before = store): Store {
  return {
    ...before,
    journals: async (kind) => {
      const found = await before.journals(kind);
      const gone = change((await before.read(name)).entries).length === 0;
      return gone ? found.filter((one) => one !== name) : found;
    },
    read: async (journal, from = 0) => {
      const page = await before.read(journal);
      const entries = journal === name ? change(page.entries) : page.entries;
      return { ...page, entries: entries.slice(from), version: entries.length };
    },
  };
}

/** An attacker who knows how the chain is made writes it anew. */
const chained = (lines: readonly Line[]): readonly Line[] =>
  writeLines(
    lines.map(({ text }) => {
      const { id, atMs, body } = JSON.parse(text);
      return { ...body, id, atMs };
    }),
    NO_HEAD,
  ).lines;

/** The lines as they are, each on the hash of the one before it. */
function linked(lines: readonly Line[]): readonly Line[] {
  let prev = NO_HEAD;
  return lines.map(({ id, text }) => {
    const line = { id, text: JSON.stringify({ ...JSON.parse(text), prev }) };
    prev = hashLine(line.text);
    return line;
  });
}

const without = (position: number) => (lines: readonly Line[]) => lines.toSpliced(position, 1);
const altered = (position: number, from: string, to: string) => (lines: readonly Line[]) =>
  lines.map((line, at) => (at === position ? { ...line, text: line.text.replace(from, to) } : line));

describe('verify', () => {
  it('finds nothing wrong with unchanged journals', async () => {
    const { findings, notes, counts, ends } = await verify(store);

    expect([findings, notes]).toEqual([[], []]);
    expect(counts).toEqual({ runs: 2, trusts: 0, workspaces: 1, entries: 2 * (STORY.length + 1) + 4 });
    expect(ends[0]).toContain(`${WORKSPACE}: 4 entries`);
  });

  const CASES: readonly (readonly [string, JournalName, (lines: readonly Line[]) => readonly Line[], RegExp])[] = [
    ['a removed entry', runId(), without(3), /entry 3 .* removed/],
    ['the removed beginning', runId(), without(0), /entry 0 .* not a beginning/],
    ['two entries in another order', runId(), (l) => l.with(3, l[4] ?? one).with(4, l[3] ?? one), /reordered/],
    [
      'an altered entry',
      runId(),
      altered(4, 'BEN', 'EVE'),
      /entry 5 .* does not stand on entry 4: that one was altered/,
    ],
    ['an entry that is no JSON', runId(), altered(4, '{', 'x'), /altered/],
    ['a cut end', runId(), (lines) => lines.slice(0, 5), /its end was cut off. It had 9 entries .* has 5/],
    ['a removed run', runId(), () => [], /was removed. It had 9 entries/],
    ['a chain that was made anew (T19)', runId(), (l) => chained(altered(4, 'BEN', 'EVE')(l)), /was written anew/],
    ['an entry taken out and the chain mended', runId(), (l) => chained(without(3)(l)), /cut off|written anew/],
    ['a start without its yes (D1)', runId(), (l) => chained(without(4)(l)), /entry 4 starts call 1\/a without a yes/],
    [
      'another input (P18)',
      runId(),
      altered(2, 'secret-place', 'elsewhere'),
      /input of approval .* not what people were shown/,
    ],
    ['a run in the place of another', runId(2), () => lines1, /is a copy of run/],
    ['a removed seal', WORKSPACE, without(0), /entry 0 .* not a beginning/],
  ];
  const one: Line = { id: '', text: '' };
  let lines1: readonly Line[] = [];

  it.each(CASES)('finds and names %s', async (_what, name, change, says) => {
    lines1 = (await store.read(runId(1))).entries;

    const { findings } = await verify(tampered(name, change));

    expect(findings.filter((finding) => says.test(finding) && finding.startsWith(name))).not.toEqual([]);
  });

  it('only notes what a newer version wrote, in runs and in records about other runs (FN4)', async () => {
    const newer = (at: number) => (lines: readonly Line[]) =>
      lines.map((line, position) => (position < at ? line : { ...line, text: line.text.replace('"v":1', '"v":2') }));
    const last = STORY.length + 1;
    const journal = openRunJournal({ store, entryId, elapsed: clock.now }, runId(1));
    await journal.commit(() => ({ entries: [late], result: undefined }));

    const run = await verify(tampered(runId(1), newer(last)));
    expect(run.findings).toEqual([]);
    expect(run.notes).toEqual([expect.stringContaining(`a newer version of the bot wrote entry ${last}`)]);

    const workspace = tampered(WORKSPACE, newer(3));
    expect((await verify(workspace)).findings).toEqual([]);
    // This version cannot know whether that version removed it.
    await store.removeRun({
      run: runId(1),
      version: last + 1,
      thread: threadKey(THREAD),
      approvals: [],
      due: [],
      members: [],
    });
    expect((await verify(workspace)).findings).toEqual([]);
    expect((await verify(store)).findings).toEqual([expect.stringContaining('was removed')]);
  });

  it('reads on behind an entry of a newer version in the journal of a workspace (FN4)', async () => {
    const newer = (lines: readonly Line[]) => linked(altered(0, '"v":1', '"v":2')(lines));
    const cut = tampered(runId(2), (lines) => lines.slice(0, 5));
    const { findings } = await verify(tampered(WORKSPACE, newer, cut));

    // The seal of the run stands behind it.
    expect(findings).toContainEqual(expect.stringContaining(`${runId(2)}: its end was cut off. It had 9 entries`));
  });

  it('only notes, without the key, a run that was encrypted before the journal of its workspace (EDGE-2)', async () => {
    const box = createSecretBox([createSecretKey(randomBytes(32))]);
    const placeOf = entryAt(runId());
    const encrypted = tampered(runId(), (lines) =>
      lines.map(({ id, text }, at) => ({ id, text: sealText(box, text, placeOf(at)) })),
    );
    const { findings, notes } = await verify({ ...encrypted, record: async () => 'under a key' });

    expect(findings).toEqual([]);
    expect(notes).toEqual([expect.stringContaining('9 entries and items are encrypted')]);
  });

  it('only notes a run that has ended without a seal and its mark, which a crash can leave', async () => {
    const unmarked = tampered(runId(2), (lines) => lines.slice(0, -1));
    const { findings, notes } = await verify(tampered(WORKSPACE, (lines) => lines.slice(0, 3), unmarked));

    expect(findings).toEqual([]);
    expect(notes).toEqual([expect.stringContaining(`${runId(2)}: is over`)]);
  });

  it('names a run whose mark tells of a seal that the journal of its workspace does not have (EDGE-2)', async () => {
    const { findings } = await verify(tampered(WORKSPACE, (lines) => lines.slice(0, 3)));

    expect(findings).toEqual([expect.stringMatching(`^${runId(2)}: the journal of its workspace had its end`)]);
  });

  it('does not miss a seal that a bot writes while it looks at the run (EDGE-2)', async () => {
    const before = tampered(WORKSPACE, (lines) => lines.slice(0, 3));
    let isRead = false;
    const beside: Store = {
      ...store,
      read: (journal, from) => {
        const page = (isRead ? store : before).read(journal, from);
        isRead ||= journal === WORKSPACE;
        return page;
      },
    };

    expect(await verify(beside)).toMatchObject({ findings: [], notes: [] });
  });

  it('does not miss the journal of a workspace that a bot begins while it looks at the runs (EDGE-2)', async () => {
    let isBegun = false;
    const beside: Store = {
      ...store,
      journals: async (kind) => {
        const found = kind === 'workspace' && !isBegun ? [] : await store.journals(kind);
        isBegun ||= kind === 'workspace';
        return found;
      },
    };

    expect((await verify(beside)).findings).toEqual([]);
  });

  it('reports a trust that is gone although a call ran on it, or that never recorded the call (D1)', async () => {
    const run = runId(3);
    await tell(run, [
      startedAs(run),
      turn(1, 'a'),
      { ...begun, grant: { type: 'trust', grant: grantId() } },
      finished,
      { type: 'run-finished' },
    ]);
    expect((await verify(store)).findings).toEqual([`${grantId()}: was removed. Run ${run} started call 1/a on it.`]);

    const kind = { schema: GrantSchema, evolve: evolveTrust, effects: trustEffects };
    const grant = createRecorder({ store, entryId, elapsed: clock.now }, grantId(), kind);
    await grant.commit(() => ({ entries: [given], result: undefined }));
    expect((await verify(store)).findings).toEqual([expect.stringContaining('does not know that run')]);

    await grant.commit(() => ({ entries: [{ type: 'grant-used', run, call: '1/a' }], result: undefined }));
    // No call ran on this one.
    const other = createRecorder({ store, entryId, elapsed: clock.now }, grantId(2), kind);
    await other.commit(() => ({ entries: [{ ...given, grant: grantId(2) }], result: undefined }));
    expect((await verify(store)).findings).toEqual([]);
  });

  it('finds the one byte that it alters itself, at its entry, and leaves the store as it is (DEMO-3)', async () => {
    const said: string[] = [];
    const outside = { write: (line: string) => said.push(line), say: (line: string) => said.push(line) };
    const again = async () => false;
    const [, , , , decision] = await collect(exportLines(store, { run: runId(), inputs: false }));
    const before = (await store.read(runId())).entries;

    const wish = { command: 'verify', alter: String(decision?.hash) } as const;
    expect(await runAudit(wish, { ...outside, again, store })).toBe(false);

    expect(said[0]).toBe(`In a copy in memory, one byte of entry 4 of ${runId()} was altered: N became 0.`);
    expect(said[1]).toMatch(`${runId()}: entry 5 (`);
    expect(said[1]).toMatch('does not stand on entry 4: that one was altered');
    expect((await store.read(runId())).entries).toEqual(before);
    expect((await verify(store)).findings).toEqual([]);
  });

  it('alters nothing for a hash that no entry has, and says so (DEMO-3)', async () => {
    const nothing = { write: () => {}, say: () => {}, again: async () => false };
    const wish = { command: 'verify', alter: 'h'.repeat(43) } as const;

    await expect(runAudit(wish, { ...nothing, store })).rejects.toThrow(
      /^No entry has a hash that begins with h+, so no byte/,
    );
  });

  it('takes the beginning of a hash to alter, if no other hash begins so (DEMO-3)', async () => {
    const said: string[] = [];
    const outside = { write: (line: string) => said.push(line), say: (line: string) => said.push(line) };
    const again = async () => false;
    const [, , , , decision] = await collect(exportLines(store, { run: runId(), inputs: false }));
    const alter = String(decision?.hash).slice(0, 8);

    expect(await runAudit({ command: 'verify', alter }, { ...outside, again, store })).toBe(false);
    expect(said[0]).toMatch(`one byte of entry 4 of ${runId()} was altered`);
    await expect(runAudit({ command: 'verify', alter: '' }, { ...outside, again, store })).rejects.toThrow(
      /^Several hashes begin with/,
    );
  });

  it('exits with an error when there is a finding, and says how much was checked', async () => {
    const said: string[] = [];
    const outside = { write: (line: string) => said.push(line), say: (line: string) => said.push(line) };
    const again = async () => false;

    expect(await runAudit({ command: 'verify' }, { ...outside, again, store })).toBe(true);
    expect(await runAudit({ command: 'verify' }, { ...outside, again, store: tampered(runId(), without(2)) })).toBe(
      false,
    );
    expect(said.at(-1)).toMatch(/^Walked 2 runs, 0 trusts and 1 workspace with .* findings?\.$/);
  });
});

const given: TrustEntryBody = {
  type: 'grant-given',
  grant: grantId(),
  team: 'T1',
  tool: 'deploy',
  definition: 'v1',
  offer: { line: 'deploy, any input', match: 'any', scope: 'thread', forMs: HOUR_MS },
  thread: THREAD,
  requester: user('ANN'),
  by: user('BEN'),
  untilMs: HOUR_MS,
};

async function collect(lines: AsyncIterable<string>) {
  const found: Record<string, unknown>[] = [];
  for await (const line of lines) found.push(JSON.parse(line));
  return found;
}

describe('export', () => {
  it('says of every entry which run, when, what and who (T19)', async () => {
    const lines = await collect(exportLines(store, { run: runId(), inputs: false }));

    expect(lines).toHaveLength(STORY.length + 1);
    expect(lines[3]).toMatchObject({ kind: 'press-refused', who: 'EVE', tool: 'deploy', verdict: 'approve', digest });
    expect(lines[4]).toMatchObject({
      journal: runId(),
      run: runId(),
      thread: 'T1:C1:1.0',
      position: 4,
      kind: 'call-decided',
      who: 'BEN',
      verdict: 'approve',
      call: '1/a',
      tool: 'deploy',
      digest,
    });
    expect(lines.every(({ time }) => !Number.isNaN(Date.parse(String(time))))).toBe(true);
  });

  it('says each entry in a sentence, with its hash and the one before (DEMO-3)', async () => {
    const lines = await collect(exportLines(store, { inputs: false }));
    const run = lines.filter(({ journal }) => journal === runId());

    expect(run.map(({ sentence }) => sentence)).toEqual([
      'Asked the bot.',
      'The agent answered, and wants 1 call.',
      'People are asked about deploy.',
      'Pressed “approve”, which counts for nothing: not theirs.',
      'Approved deploy.',
      'deploy starts, with a stored yes.',
      'deploy is done after 0.0 s.',
      'The run is finished.',
      'The end of the run is in the journal of the workspace.',
    ]);
    expect(run.map(({ prev }) => prev)).toEqual([NO_HEAD, ...run.slice(0, -1).map(({ hash }) => hash)]);
    expect(lines.filter(({ sentence }) => typeof sentence !== 'string' || sentence === '')).toEqual([]);
  });

  it('says of a start which digest people were shown, also where the approver changed the call (P18, DEMO-3)', async () => {
    const edit = { input: { text: '{"to":"elsewhere"}' }, digest: 'changed', summary: 'Deploy.' };
    const changed = STORY.map((entry) =>
      entry === decided ? { ...decided, edit } : entry === begun ? { ...begun, digest: 'changed' } : entry,
    );
    await tell(runId(3), [startedAs(runId(3)), ...changed.slice(1)]);
    const starts = async (run: RunId) =>
      (await collect(exportLines(store, { run, inputs: false }))).filter(({ kind }) => kind === 'call-started');

    expect(await starts(runId(1))).toEqual([expect.objectContaining({ shown: digest, digest })]);
    expect(await starts(runId(3))).toEqual([expect.objectContaining({ shown: 'changed', digest: 'changed' })]);
  });

  it('leaves out inputs and the agent’s words about them, unless they are asked for (T16)', async () => {
    const quiet = JSON.stringify(await collect(exportLines(store, { inputs: false })));
    const whole = JSON.stringify(await collect(exportLines(store, { inputs: true })));

    expect([quiet.includes('secret-place'), quiet.includes('Deploy.')]).toEqual([false, false]);
    expect([whole.includes('secret-place'), whole.includes('Deploy.')]).toEqual([true, true]);
  });

  it('has only entries after a given time, and still knows what they are about', async () => {
    const all = await collect(exportLines(store, { run: runId(), inputs: false }));
    const sinceMs = Date.parse(String(all[5]?.time));

    const late = await collect(exportLines(store, { run: runId(), sinceMs, inputs: false }));

    expect(late).toEqual(all.slice(5));
  });

  it('names a line that cannot be read, and goes on', async () => {
    const lines = await collect(exportLines(tampered(runId(), altered(4, '{', 'x')), { run: runId(), inputs: false }));

    expect(lines.map(({ kind }) => kind)).toContain('unreadable');
    expect(lines).toHaveLength(STORY.length + 1);
  });

  it('includes the journals of trusts and workspaces', async () => {
    const kinds = (await collect(exportLines(store, { inputs: false }))).map(({ kind }) => kind);

    expect(kinds.filter((kind) => kind === 'run-sealed')).toHaveLength(2);
  });
});

describe('tail', () => {
  it('begins with the newest entry and prints each new entry once', async () => {
    let rounds = 0;
    const again = async () => {
      rounds += 1;
      if (rounds === 1) await tell(runId(3), [startedAs(runId(3)), turn(1, 'a')]);
      return rounds < 3;
    };

    const lines = await collect(tailLines(store, { inputs: false }, again));

    expect(lines.slice(-3).map(({ kind }) => kind)).toEqual(['run-started', 'run-begun', 'turn-answered']);
    const places = lines.map(({ journal, position }) => `${journal} ${position}`);
    expect(new Set(places).size).toBe(places.length);
  });
});

it('tail knows of a later entry what it is about, and reads no entry twice', async () => {
  const from: number[] = [];
  const counting: Store = {
    ...store,
    read: async (journal, at = 0) => {
      if (journal === runId(3)) from.push(at);
      return store.read(journal, at);
    },
  };
  const parts = [
    [startedAs(runId(3)), ...STORY.slice(1, 3)],
    [decided, begun],
  ];
  const again = async () => {
    await tell(runId(3), parts[0] ?? []);
    return parts.shift() !== undefined;
  };

  const lines = await collect(tailLines(counting, { inputs: false }, again));

  expect(lines.at(-1)).toMatchObject({ kind: 'call-started', position: 4, shown: digest, tool: 'deploy' });
  expect(from).toEqual([0, 3]);
});

describe('the command line', () => {
  it.each<[readonly string[], RegExp]>([
    [[], /No command was given/],
    [['burn'], /no command burn/],
    [['show', 'all'], /no command show/],
    [['export', 'everything'], /too much/],
    [['export', '--run', 'x'], /not the id of a run/],
    [['tail', '--since', 'yesterday'], /not a time/],
    [['verify', '--loudly'], /--loudly/],
    [['verify', '--alter', '4'], /4 is not the hash of an entry/],
    [['tail', '--archive', 'run.jsonl'], /tail takes no --archive\. It takes --run, --since, --inputs, --json/],
    [['export', '--kept', 'g'.repeat(43)], /export takes no --kept/],
    [['verify', '--run', runId()], /verify takes no --run/],
    [['verify', '--since', '2026-11-21'], /verify takes no --since/],
    [['attention', '--inputs'], /attention takes no --inputs/],
  ])('refuses %j with a reason', (args, says) => {
    expect(readWish(args)).toMatch(says);
  });

  it('says of a wrong value in one line what is wrong with it, without all that the command takes (SURF-5)', () => {
    const said = spawnSync('npm', ['run', '--silent', 'audit', '--', 'tail', '--since', 'yesterday'], {
      encoding: 'utf8',
    });

    expect(said).toMatchObject({
      status: 2,
      stdout: '',
      stderr: 'yesterday is not a time. Write it as 2026-11-21T09:00:00Z.\n',
    });
  });

  it.each([['-abcdefg'], ['abcdefgh']])('takes the beginning %s of a hash to alter (DEMO-3)', (alter) => {
    expect(readWish(['verify', '--alter', alter])).toEqual({ command: 'verify', alter });
  });

  it('takes a kept hash that begins with a dash, as one of 64 does (EDGE-2)', () => {
    const hashes = [`-${'g'.repeat(42)}`, `--${'h'.repeat(41)}`, 'i'.repeat(43)];

    expect(readWish(['verify', ...hashes.flatMap((hash) => ['--kept', hash]), '--json'])).toEqual({
      command: 'verify',
      kept: hashes,
      json: true,
    });
  });

  it('understands the options of each command', () => {
    expect(readWish(['export', '--run', runId(), '--since', '2026-11-21', '--inputs'])).toEqual({
      command: 'export',
      run: runId(),
      sinceMs: Date.UTC(2026, 10, 21),
      inputs: true,
    });
  });
});

describe('a seal', () => {
  it('is written once for each run, after seals that other processes wrote meanwhile', async () => {
    const run = runId(4);
    const [mine, theirs] = [sealsOf(store), sealsOf(store)];
    await tell(runId(3), [startedAs(runId(3)), { type: 'run-finished' }]);
    const journal = openRunJournal({ store, entryId, elapsed: clock.now }, run);
    await journal.commit(() => ({ entries: [startedAs(run), { type: 'run-finished' }], result: undefined }));
    const again = openRunJournal({ store, entryId, elapsed: clock.now }, run);
    await again.refresh();

    await Promise.all([mine.seal(journal), theirs.seal(again), mine.seal(journal)]);

    const { findings, notes } = await verify(store);
    expect([findings, notes]).toEqual([[], []]);
    expect(journal.state()?.sealed).toEqual({ retireAtMs: undefined });
  });

  it('waits when another process is first, and forgets no run', async () => {
    const unlucky: Store = { ...store, isExclusive: false, append: async () => ({ type: 'conflict', version: 1 }) };
    const journal = openRunJournal({ store, entryId, elapsed: clock.now }, runId(5));
    await journal.commit(() => ({
      entries: [startedAs(runId(5)), { type: 'run-finished' }],
      result: undefined,
    }));

    expect(await sealsOf(unlucky).seal(journal)).toBe('later');
    expect(journal.state()?.sealed).toBe(false);
  });
});
