import { createHash } from 'node:crypto';
import { canonical } from '../../interventions/index.ts';
import type { ToolSpec } from '../agent/index.ts';
import { given } from '../given.ts';
import type { Tool } from './tool.ts';
import { ToolDefinitionError } from './tool-check.ts';

export interface ToolTable {
  readonly all: readonly Tool[];
  /** As the model is shown them, always in the same order, so that its cache keeps. */
  readonly specs: readonly ToolSpec[];
  readonly find: (name: string) => Tool | undefined;
}

/** The tools of a deployment by name. Two of one name would make an approval mean either, so they are refused. */
export function toolTable(tools: readonly Tool[]): ToolTable {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    const other = byName.get(tool.name);
    if (other !== undefined)
      throw new ToolDefinitionError(
        tool.name,
        `is defined twice (${other.origin}, ${tool.origin}). Rename one of them`,
      );
    byName.set(tool.name, tool);
  }
  const all = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const specs = all.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { all, specs, find: (name) => byName.get(name) };
}

/**
 * Names what a person was shown of a tool: trust and approvals hold for this definition and for no other. The order of
 * keys is no difference, as a server may list the same schema in another order each time. What `run` does is code of
 * the deployment and cannot be seen from here.
 */
export function definitionHash({ name, description, inputSchema, effect, origin, fingerprint }: Tool): string {
  const shown = {
    name,
    description,
    inputSchema,
    effect,
    origin,
    ...given({ fingerprint }),
  };
  return createHash('sha256').update(canonical(shown)).digest('base64url');
}
