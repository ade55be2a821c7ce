import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { choose, type Fault, faultsIn } from './faults.ts';

export interface Part {
  readonly name: string;
  /** Folders and files. */
  readonly paths: readonly string[];
  readonly except?: string;
  readonly count: number;
}

/** The core: where a fault costs the most. */
export const PARTS: readonly Part[] = [
  { name: 'journal', paths: ['app/journal'], count: 30 },
  { name: 'store', paths: ['app/store'], count: 28 },
  { name: 'policy, trust and caps', paths: ['app/authority'], count: 24 },
  { name: 'runs', paths: ['app/runs'], except: 'app/runs/gate', count: 36 },
  { name: 'approvals', paths: ['app/approvals', 'app/questions'], count: 28 },
  {
    name: 'gate',
    paths: ['app/runs/gate', 'interventions/human-in-the-loop', 'interventions/pipeline'],
    count: 14,
  },
];

/** The faults of a part that a seed chooses. */
export function faultsOf({ paths, except, count }: Part, seed: number): readonly Fault[] {
  const faults = paths
    .flatMap(sourcesIn)
    .filter((path) => except === undefined || !path.startsWith(`${except}/`))
    .flatMap(allFaults);
  return choose(faults, { seed, count });
}

/** The fault of this id, as a survivor is repeated. */
export function faultOf(id: string): Fault {
  const path = id.split(':')[0] ?? '';
  const fault = existsSync(path) ? allFaults(path).find((one) => one.id === id) : undefined;
  if (fault === undefined) {
    throw new Error(`There is no fault ${id} in the sources as they are now. Take an id that a run has printed.`);
  }
  return fault;
}

function sourcesIn(path: string): readonly string[] {
  if (!existsSync(path)) throw new Error(`There is no ${path}. Name folders or files from the root of the project.`);
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => posix.join(path, name))
    .sort();
}

/** Limits are numbers that a deployment would choose otherwise. */
const allFaults = (path: string): readonly Fault[] =>
  path === 'app/limits.ts' ? [] : faultsIn({ path, text: readFileSync(path, 'utf8') });
