import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const SOURCES = join(dirname(dirname(fileURLToPath(import.meta.url))), 'peers');
/** Apart from the sources, so that no check of the project reads what the peers bring with them. */
const INSTALLED = join(dirname(dirname(SOURCES)), 'node_modules', '.cache', 'bench-peers');
const LOCK = 'package-lock.json';

/** Installs the pinned peers unless they are there, and returns their folder. */
export function installPeers(): string {
  const wanted = readFileSync(join(SOURCES, LOCK), 'utf8');
  const found = join(INSTALLED, LOCK);
  const isThere = existsSync(join(INSTALLED, 'node_modules')) && existsSync(found);
  const isSame = isThere && readFileSync(found, 'utf8') === wanted;
  mkdirSync(INSTALLED, { recursive: true });
  cpSync(SOURCES, INSTALLED, { recursive: true });
  if (isSame) return INSTALLED;
  const { status, stderr } = spawnSync('npm', ['ci'], { cwd: INSTALLED, encoding: 'utf8' });
  if (status === 0) return INSTALLED;
  throw new Error(`The peers could not be installed. Fix what npm says, or leave out the word peers: ${stderr}`);
}

const Package = z.object({ version: z.string() });

/** The installed version of a package. `undefined` where it is not installed. */
export function installedVersion(folder: string, name: string): string | undefined {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? Package.parse(JSON.parse(readFileSync(file, 'utf8'))).version : undefined;
}
