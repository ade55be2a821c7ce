import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fault, withFault } from './faults.ts';

/** The project as it is in the working folder, to be broken at will. */
export interface Copy {
  readonly folder: string;
  /** For what the tests leave behind, which goes with the copy. */
  readonly scratch: string;
  /** Puts a fault in, and answers how to take it out. */
  readonly breakBy: (fault: Fault) => () => void;
  readonly remove: () => void;
}

export function copyProject(): Copy {
  const home = mkdtempSync(join(tmpdir(), 'countersign-mutate-'));
  const folder = join(home, 'project');
  const scratch = join(home, 'tmp');
  mkdirSync(scratch);
  for (const name of files()) cpSync(name, join(folder, name));
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    scratch,
    breakBy: (fault) => {
      const path = join(folder, fault.file);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, withFault(fault, text));
      return () => writeFileSync(path, text);
    },
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** What git knows or would take, so that secrets, stores and builds stay where they are. */
function files(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  return listed.split('\0').filter((name) => name !== '' && existsSync(name));
}
