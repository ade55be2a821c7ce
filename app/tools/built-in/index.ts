import type { Tool } from '../tool.ts';
import { currentTime } from './current-time.ts';
import type { ThreadReach } from './reach.ts';

export interface BuiltInDeps {
  readonly now: () => number;
  /** Without it, the tools that read or write in the place people talk in are left out. */
  readonly reach?: ThreadReach | undefined;
  readonly openHosts: readonly string[];
}

/** The tools every deployment has. Each argues its class in its own file, in the line `because`. */
export function builtInTools(deps: BuiltInDeps): readonly Tool[] {
  return [currentTime(deps)];
}
