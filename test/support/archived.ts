import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANN } from '../../sandbox/people.ts';
import { type Audited, audit } from './audit.ts';
import { mention, openStage, reply } from './bot.ts';
import { patchedSources, SOON_REMOVED } from './patched.ts';

/** The archive of a run that retention removed, and copies of it in which a test changes something. */
export interface KeptArchive {
  /** What `npm run audit -- verify` says after this change of a copy. `path` is the file, `folder` has nothing else. */
  readonly verified: (change?: (at: { readonly path: string; readonly folder: string }) => void) => Promise<Audited>;
  /** What it says when it is not told where the archives are. */
  readonly withoutFolder: () => Promise<Audited>;
  readonly remove: () => void;
}

/** A real bot answers in one thread, and removes the run soon after. */
export async function keptArchive(): Promise<KeptArchive> {
  const sources = patchedSources([SOON_REMOVED]);
  const stage = await openStage({ sources: sources.folder });
  const kept = mkdtempSync(join(tmpdir(), 'countersign-archived-'));
  try {
    const bot = await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/support/retaining.config.ts' } });
    const root = await mention(stage, ANN, 'hello');
    await reply(stage, root, 'Hello!');
    await stage.world.until(() => stage.world.session(root).status === 'closed', { what: 'the run is removed' });
    await bot.stop();
    cpSync(stage.dataDir, join(kept, 'data'), { recursive: true });
    cpSync(join(sources.folder, 'archive'), join(kept, 'archive'), { recursive: true });
  } finally {
    await stage.close();
    sources.remove();
  }
  const DATA_DIR = join(kept, 'data');
  return {
    verified: async (change = () => {}) => {
      const folder = mkdtempSync(join(tmpdir(), 'countersign-changed-'));
      try {
        cpSync(join(kept, 'archive'), folder, { recursive: true });
        change({ folder, path: join(folder, readdirSync(folder)[0] ?? '') });
        return await audit({ DATA_DIR }, 'verify', '--archive', folder);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    withoutFolder: () => audit({ DATA_DIR }, 'verify'),
    remove: () => rmSync(kept, { recursive: true }),
  };
}
