import { spawn } from 'node:child_process';
import { COMPILED_SOURCES } from './servers.ts';

export interface Audited {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface AuditAtWork {
  readonly pid: number | undefined;
  readonly out: () => string;
  readonly ended: Promise<Audited>;
  readonly end: () => Promise<Audited>;
}

/** The audit as a process of its own, as people run it. Resolves when it has ended. */
export function audit(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Audited> {
  return startAudit(env, ...args).ended;
}

/** The command about keys as a process of its own. */
export function keys(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Audited> {
  return startCommand('keys', env, args).ended;
}

/** The command about tools of servers as a process of its own. */
export function tools(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Audited> {
  return startCommand('tools', env, args).ended;
}

/** The command about the policy as a process of its own. */
export function policy(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Audited> {
  return startCommand('policy', env, args).ended;
}

/** The command that prints a manifest as a process of its own. */
export function manifest(...args: readonly string[]): Promise<Audited> {
  return startCommand('manifest', {}, args).ended;
}

/** The same for an audit that goes on until it is ended. */
export function startAudit(env: Readonly<Record<string, string>>, ...args: readonly string[]): AuditAtWork {
  return startCommand('audit', env, args);
}

function startCommand(
  name: 'audit' | 'keys' | 'manifest' | 'policy' | 'tools',
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): AuditAtWork {
  const child = spawn(process.execPath, [`app/commands/${name}-main.ts`, ...args], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: COMPILED_SOURCES, ...env },
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  const ended = new Promise<Audited>((resolve) => child.once('close', (code) => resolve({ code, ...said })));
  return {
    pid: child.pid,
    out: () => said.out,
    ended,
    end: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
