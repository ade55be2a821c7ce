import { createHash } from 'node:crypto';

const LONGEST = 64;

/**
 * The name that the model and people see for a tool of a server: `server__tool`. A name that must be changed to fit ends
 * with a part of its hash, so that it cannot take the place of another tool.
 */
export function toolName(server: string, tool: string): string {
  const prefix = `${server}__`;
  if (/^[a-zA-Z0-9_-]+$/.test(tool) && prefix.length + tool.length <= LONGEST) return prefix + tool;
  const mark = `_${createHash('sha256').update(tool).digest('hex').slice(0, 8)}`;
  const room = LONGEST - prefix.length - mark.length;
  return prefix + tool.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, room) + mark;
}
