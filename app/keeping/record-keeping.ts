import type { Authority } from '../authority/index.ts';
import type { Config } from '../config/index.ts';
import { orLog } from '../or-log.ts';
import { createSeals, type WorkspaceJournal } from '../recorder/index.ts';
import type { RunId } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import { createTurns } from '../time/index.ts';
import type { ToolTable } from '../tools/index.ts';
import { createArchive } from './archive.ts';
import { type ChangedToolsDeps, takeBackChanged } from './changed-tools.ts';
import { createRecordConfiguration, describeConfiguration } from './configuration.ts';
import { type RetentionDeps, retire } from './retention.ts';

export interface RecordKeepingDeps extends Omit<RetentionDeps, 'seals' | 'archive'> {
  readonly config: Config;
  readonly store: Store;
  readonly workspaces: WorkspaceJournal;
  readonly tools: ToolTable;
  readonly toolServers: readonly string[];
  readonly elapsed: () => number;
  readonly kick: ChangedToolsDeps['kick'];
  readonly policyOf: Authority['policyOf'];
}

export type RecordKeeping = ReturnType<typeof createRecordKeeping>;

/** What outlasts a run: the configuration it ran under, the seal of its journal, and how long the journal is kept. */
export function createRecordKeeping(deps: RecordKeepingDeps) {
  const { config, store, journalOf, workspaces, surface, copies, tools, toolServers, policyOf, elapsed, log, step } =
    deps;
  const inTurn = createTurns();
  const recordConfiguration = createRecordConfiguration({
    journal: workspaces,
    store,
    elapsed,
    log,
    describe: () => describeConfiguration({ config, tools: tools.all, toolServers, policyOf }),
    toolsChanged: (team) => {
      const what = 'Questions about tools that a deployment changed stay until a person presses them.';
      // The store may be away. The start does not wait for this. One workspace comes after the other, because there may be many.
      void orLog(log.warn, what, { team }, () => inTurn('workspace', () => takeBackChanged(deps, team)));
    },
  });
  const seals = createSeals({
    workspaces,
    store,
    before: recordConfiguration,
    retainMs: config.retention?.afterMs,
    step,
  });
  const archive = config.retention && createArchive({ store, ...config.retention });
  // The first run is archived days later, when no person looks for a failure. The start does not wait for this.
  if (archive !== undefined) void orLog(log.error, NO_ARCHIVE, { ...config.retention }, archive.prepare);
  const retiring = { store, surface, copies, journalOf, seals, archive, log, step };
  return { recordConfiguration, seals, retire: (run: RunId) => retire(retiring, run) };
}

const NO_ARCHIVE =
  'No archive can be written, so retention removes nothing. Set retention.folder to a folder that the account of the bot can make and write to.';
