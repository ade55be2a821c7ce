import { beforeEach, describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import { checkConfig } from '../../../app/config/check.ts';
import { type Configured, WorkspaceBody } from '../../../app/journal/facts/workspace.ts';
import { readLine } from '../../../app/journal/line/line.ts';
import { verify } from '../../../app/keeping/audit/verify.ts';
import { createRecordConfiguration, describeConfiguration } from '../../../app/keeping/configuration.ts';
import { silentLog } from '../../../app/log.ts';
import { createWorkspaceJournal } from '../../../app/recorder/workspace-journal.ts';
import { workspaceOf } from '../../../app/store/keys.ts';
import type { Store } from '../../../app/store/store.ts';
import { dropDatabase } from '../../../example/tools/drop-database.ts';
import { HOUR_MS } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';
import { reachNothing } from '../../support/reach.ts';

const TEAM = 'T1';
let store: Store;
let ids = 0;
const entryId = () => {
  ids += 1;
  return `id-${ids}`;
};
beforeEach(() => {
  store = createModelStore(testClock(1_000));
});

interface Changes {
  readonly toolServers?: readonly string[];
  readonly [setting: string]: unknown;
}

function configured({ toolServers = [], ...changes }: Changes = {}): Configured {
  const config = checkConfig(
    { tools: [dropDatabase], policy: { drop_database: { approvers: ['U0BEN00001'] } }, ...changes },
    { now: () => 0, reach: reachNothing },
  );
  return describeConfiguration({
    config,
    tools: config.tools,
    toolServers,
    policyOf: ({ name }) => `policy of ${name}`,
  });
}

/** A process that starts anew. */
let elapsedMs = 0;
const started = (
  now: Configured,
  { toolsChanged = (_team: string) => {}, log = silentLog, isExclusive = false } = {},
) =>
  createRecordConfiguration({
    toolsChanged,
    elapsed: () => elapsedMs,
    journal: createWorkspaceJournal({
      store: { read: (...about) => store.read(...about), append: (request) => store.append(request) },
      entryId,
    }),
    store: { shards: store.shards, isExclusive },
    log,
    describe: () => now,
  });

async function onRecord(): Promise<readonly Configured[]> {
  const { entries } = await store.read(workspaceOf(TEAM, store.shards));
  return entries.map(({ text }) => readLine(WorkspaceBody, text).entry).filter((entry) => entry.type === 'configured');
}

describe('the configuration in force (T19)', () => {
  it('is recorded once, however often a process starts with it', async () => {
    await started(configured())(TEAM);
    await started(configured())(TEAM);
    const third = started(configured());
    await Promise.all([third(TEAM), third(TEAM)]);

    const [only, ...others] = await onRecord();
    expect(others).toEqual([]);
    expect(only?.tools.find(({ name }) => name === 'drop_database')).toMatchObject({
      effect: 'guarded',
      approvers: ['U0BEN00001'],
      policy: 'policy of drop_database',
    });
  });

  it.each([
    ['another approver', { policy: { drop_database: { approvers: ['U0ZOE00001'] } } }],
    ['another rule', { rules: [{ name: 'Never drop', effect: 'deny', tool: 'drop_database' }] }],
    ['another limit', { limits: { turnsPerRun: 3 } }],
    ['another time', { times: { approvalLifetimeMs: 1_000 } }],
    ['other instructions', { instructions: 'Be quick.' }],
    ['another secret', { redact: { keys: ['iban'] } }],
    ['another retention (EDGE-2)', { retention: { afterMs: 3 * 24 * HOUR_MS, folder: 'archive' } }],
    ['another folder for what is retired (EDGE-2)', { retention: { afterMs: 2 * 24 * HOUR_MS, folder: 'elsewhere' } }],
    ['another durability (EDGE-2)', { durability: 'disk' }],
    ['another open host (EDGE-2)', { openHosts: ['docs.example.com'] }],
    ['another command of a tool server (EDGE-2)', { toolServers: ['files: ["npx","files"]'] }],
    ['another sign-on', { signOn: { header: 'x-user', people: { ann: 'U0ANN00001' } } }],
  ])('is recorded anew with %s', async (_what, changes) => {
    await started(configured())(TEAM);
    await started(configured(changes))(TEAM);

    expect(new Set((await onRecord()).map(({ configuration }) => configuration)).size).toBe(2);
  });

  it('is recorded once more after an entry of a newer version, whose content this version cannot read (FN4)', async () => {
    await started(configured())(TEAM);
    const workspace = workspaceOf(TEAM, store.shards);
    const newer = JSON.stringify({ v: 2, id: 'n', atMs: 2_000, prev: 'h', body: { type: 'configured' } });
    await store.append({ journal: workspace, expectedVersion: 1, entries: [{ id: 'n', text: newer }], effects: [] });

    const record = started(configured());
    await record(TEAM);
    await record(TEAM);

    expect((await store.read(workspace)).version).toBe(3);
  });

  it.each([
    ['another approver of a tool', { policy: { drop_database: { approvers: ['U0ZOE00001'] } } }, [TEAM]],
    ['another limit alone', { limits: { turnsPerRun: 3 } }, []],
    ['nothing new', {}, []],
  ])('has open questions looked at where the tools differ: %s (EDGE-3)', async (_what, changes, told) => {
    const teams: string[] = [];
    await started(configured(), { toolsChanged: (team) => teams.push(team) })(TEAM);
    expect(teams).toEqual([]);

    await started(configured(changes), { toolsChanged: (team) => teams.push(team) })(TEAM);

    expect(teams).toEqual(told);
  });

  it('is recorded once more within ten minutes of work where the store was emptied below a process (EDGE-3)', async () => {
    const record = started(configured());
    await record(TEAM);
    store = createModelStore(testClock(1_000));
    await record(TEAM);
    expect(await onRecord()).toEqual([]);

    elapsedMs += 600_000;
    await record(TEAM);
    elapsedMs += 600_000;
    await record(TEAM);

    expect(await onRecord()).toHaveLength(1);
  });

  it('that a process started with later is named in the log of an earlier one, ten minutes after that one began (EDGE-3)', async () => {
    const warned: unknown[] = [];
    const log = { ...silentLog, warn: (_message: string, facts?: object) => void warned.push(facts) };
    const first = started(configured(), { log });
    await first(TEAM);
    const second = started(configured({ limits: { turnsPerRun: 3 }, policy: {} }), { log });
    await second(TEAM);
    await first(TEAM);
    expect(warned).toEqual([]);

    elapsedMs += 600_000;
    await second(TEAM);
    expect(warned).toEqual([]);
    await first(TEAM);
    await first(TEAM);
    expect(warned).toEqual([{ team: TEAM, differs: ['drop_database', 'limits'] }]);
  });

  it('is not looked up again on an embedded store, where no other process can be (EDGE-3)', async () => {
    const warned: unknown[] = [];
    const log = { ...silentLog, warn: (_message: string, facts?: object) => void warned.push(facts) };
    const alone = started(configured(), { log, isExclusive: true });
    await alone(TEAM);
    await started(configured({ limits: { turnsPerRun: 3 } }))(TEAM);

    elapsedMs += 600_000;
    await alone(TEAM);

    expect(warned).toEqual([]);
  });

  it('stands in the chain that the audit walks', async () => {
    await started(configured())(TEAM);

    expect(await verify(store)).toMatchObject({ findings: [], counts: { workspaces: 1, entries: 1 } });
  });

  it('records only that instructions or people behind a sign-on changed, and not what they say (T16)', async () => {
    const text = JSON.stringify(
      configured({ instructions: 'hush', signOn: { header: 'x-user', people: { ann: 'U0ANN00001' } } }),
    );

    expect(text).not.toMatch(/hush|x-user|U0ANN/);
  });

  it('is recorded later when the store is away, and stops no start', async () => {
    const real = store.append;
    let away = true;
    store = { ...store, append: (request) => (away ? Promise.reject(new Error('away')) : real(request)) };
    const record = started(configured());
    await record(TEAM);
    away = false;
    await record(TEAM);

    expect(await onRecord()).toHaveLength(1);
  });
});
