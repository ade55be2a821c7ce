import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * The bot and its packages in a few files, made once for a run of tests. Half of what a bot of a test costs is finding and
 * reading a thousand files; these start in a third of the time. Tests of the start itself start the sources.
 */
export interface CompiledBot {
  readonly folder: string;
  readonly remove: () => void;
}

export async function compileBot(): Promise<CompiledBot> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-compiled-'));
  const bundle = await rolldown({
    input: { main: resolve('app/main.ts'), [FOR_DEPLOYMENTS]: resolve('app/index.ts') },
    platform: 'node',
    logLevel: 'silent',
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' });
  await bundle.close();
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** What configurations import. */
const FOR_DEPLOYMENTS = 'index';

/** How Node starts it, and where it keeps what it compiled further. */
export function startOf(folder: string): { readonly args: readonly string[]; readonly env: Record<string, string> } {
  return {
    args: ['--import', resolve('test/support/compiled/hook.ts'), join(folder, 'main.js')],
    env: { COMPILED_FOR_DEPLOYMENTS: join(folder, `${FOR_DEPLOYMENTS}.js`), NODE_COMPILE_CACHE: join(folder, 'cache') },
  };
}
