import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonical, type Json } from '../../../interventions/index.ts';
import type { ToolEffect } from '../../records/index.ts';
import { SERVER_LIMITS } from './limits.ts';
import { isDeeper, schemaProblem } from './schema-bounds.ts';

/** A tool as its server describes it, checked and bounded. All of it is text from outside. */
export interface ServerTool {
  /** The name that the server uses. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly [key: string]: Json };
  /** Asked, or guarded where a hint of the server raises it. */
  readonly effect: Exclude<ToolEffect, 'open'>;
  /** The hash of everything that the server says of the tool. */
  readonly hash: string;
  /** Everything that the server says of the tool, for people who compare. */
  readonly definition: Json;
}

export type ReadDefinition =
  | { readonly ok: true; readonly tool: ServerTool }
  | { readonly ok: false; readonly name: string; readonly problem: string };

/** Reads one entry of a server's list, or says why its tool is left out. The other tools stay. */
export function readDefinition(value: unknown): ReadDefinition {
  const named = z.object({ name: z.string() }).safeParse(value);
  const name = named.success ? named.data.name.slice(0, 100) : '(no name)';
  const wrong = (problem: string): ReadDefinition => ({ ok: false, name, problem });

  // The functions below recurse into the definition, so its depth is checked first.
  if (isDeeper(value, SERVER_LIMITS.schemaDepth + 1))
    return wrong(`its definition is nested more than ${SERVER_LIMITS.schemaDepth + 1} levels deep`);
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) > SERVER_LIMITS.definitionBytes)
    return wrong(`its definition has more than ${SERVER_LIMITS.definitionBytes} bytes`);
  const parsed = Definition.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return wrong(`${z.core.toDotPath(issue?.path ?? [])} ${issue?.message}`.trim());
  }
  const definition: Json = JSON.parse(json);
  const inputSchema: { readonly [key: string]: Json } = JSON.parse(JSON.stringify(parsed.data.inputSchema));
  const problem = schemaProblem(inputSchema);
  if (problem !== undefined) return wrong(problem);
  const badKey = Object.keys(parsed.data.inputSchema.properties ?? {}).find(
    (key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key),
  );
  // With one such key, the provider would refuse every request of every thread.
  if (badKey !== undefined) return wrong(`the model does not accept the name of its input ${JSON.stringify(badKey)}`);
  const { description = '', annotations } = parsed.data;
  return {
    ok: true,
    tool: {
      name: parsed.data.name,
      description:
        description.trim() || `The tool ${name.replaceAll(/[^\w -]/g, '_')}. Its server does not describe it.`,
      inputSchema,
      // A hint may only raise the class. That a tool only reads, or may be repeated, is an unchecked claim of the server.
      effect: annotations?.destructiveHint === true ? 'guarded' : 'asked',
      hash: createHash('sha256').update(canonical(definition)).digest('base64url'),
      definition,
    },
  };
}

const Definition = z.looseObject({
  name: z.string().min(1, 'must not be empty').max(200, 'is too long'),
  description: z.string().max(20_000, 'is too long').optional(),
  inputSchema: z.looseObject({
    type: z.literal('object', 'must be an object'),
    properties: z.record(z.string(), z.unknown()).optional(),
  }),
  annotations: z.looseObject({ destructiveHint: z.boolean().optional() }).optional(),
});
