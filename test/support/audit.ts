import { spawn } from 'node:child_process';
import { COMPILED_SOURCES } from './servers.ts';

export interface Audited {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The audit as a process of its own, as people run it. */
export function audit(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Audited> {
  const child = spawn(process.execPath, ['app/commands/audit-main.ts', ...args], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: COMPILED_SOURCES, ...env },
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })));
}
