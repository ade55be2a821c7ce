import type { Json } from '../../../interventions/index.ts';
import { pointerOf, targetOf } from '../../json.ts';
import { SERVER_LIMITS } from './limits.ts';
import { badKeyword } from './schema-shape.ts';

/**
 * Why the schema of a tool server is not used, or `undefined` if it is small enough. A schema is a program of the server
 * that runs in this process: a short one can refer to itself so often that a check never ends.
 */
export function schemaProblem(schema: Json): string | undefined {
  const { schemaDepth, schemaParts, schemaReferences, schemaCost } = SERVER_LIMITS;
  if (isDeeper(schema, schemaDepth)) return `its schema is nested more than ${schemaDepth} levels deep`;
  const { parts, references } = sizeOf(schema);
  if (parts > schemaParts) return `its schema has more than ${schemaParts} parts`;
  if (references.length > schemaReferences) return `its schema has more than ${schemaReferences} references`;
  if (references.some((one) => pointerOf(one).some((name) => name === 'const' || name === 'enum')))
    return 'its schema refers to a value as if it were a schema';
  const lost = references.find((one) => targetOf(one, schema) === undefined);
  if (lost !== undefined) return `its schema refers to ${lost.slice(0, 100)}, which is not in it`;
  const bad = badKeyword(schema);
  if (bad !== undefined) return `its schema has a value for ${bad} that JSON Schema does not know`;
  if (costOf(schema) > schemaCost)
    return `its schema has more than ${schemaCost} parts once its references are followed`;
  return undefined;
}

/** Never looks below the limit, so that a deep value costs no more than a shallow one. */
export function isDeeper(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= levels && level.length > 0; depth += 1) level = level.flatMap(childrenOf);
  return level.length > 0;
}

function sizeOf(schema: Json): { readonly parts: number; readonly references: readonly string[] } {
  let parts = 0;
  const references: string[] = [];
  const left: unknown[] = [schema];
  while (left.length > 0) {
    const part = left.pop();
    parts += 1;
    const reference = referenceIn(part);
    if (reference !== undefined) references.push(reference);
    for (const child of childrenOf(part)) left.push(child);
  }
  return { parts, references };
}

/** The number of parts of a schema, each counted as often as references lead to it. Each part is looked at once. */
function costOf(root: Json): number {
  const costs = new Map<unknown, number>();
  const cost = (part: unknown, followed: number): number => {
    if (typeof part !== 'object' || part === null) return 1;
    const known = costs.get(part);
    if (known !== undefined) return known;
    // A part that leads back to itself counts once here. The budget of each check limits it.
    costs.set(part, 1);
    const reference = referenceIn(part);
    const target = reference === undefined ? undefined : targetOf(reference, root);
    let sum = 1;
    for (const child of childrenOf(part)) sum += cost(child, followed);
    if (target !== undefined && followed < SERVER_LIMITS.schemaReferences) sum += cost(target, followed + 1);
    costs.set(part, sum);
    return sum;
  };
  return cost(root, 0);
}

function referenceIn(part: unknown): string | undefined {
  const named = typeof part === 'object' && part !== null && '$ref' in part ? part.$ref : undefined;
  return typeof named === 'string' ? named : undefined;
}

function childrenOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
