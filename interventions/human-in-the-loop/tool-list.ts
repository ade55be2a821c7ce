import { canonical } from '../canonical.ts';
import { ConfigurationError } from '../errors.ts';

/** A name, `*`, `!name`, or a family of names. A pattern is an object, so that no character in a name is special. */
export type AllowedTool = string | { readonly startsWith: string };

export interface ToolList {
  readonly allowsAll: boolean;
  readonly allows: (name: string) => boolean;
  /** Tools that are always asked about. */
  readonly guards: (name: string) => boolean;
  /** Listed names that none of these tools has. They are probably misspelt, and a misspelt `!name` guards nothing. */
  readonly unknown: (toolNames: readonly string[]) => readonly string[];
}

export function toolList(entries: readonly AllowedTool[], warn: (message: string) => void): ToolList {
  if (!Array.isArray(entries) || !entries.every(isEntry)) {
    throw new ConfigurationError(
      `allowedTools must be a list of tool names, and ${canonical(entries).slice(0, 100)} is not. Write ['name'].`,
    );
  }
  const texts = entries.filter((entry) => typeof entry === 'string');
  const guarded = new Set(texts.filter((text) => text.startsWith('!')).map((text) => text.slice(1)));
  const open = new Set(texts.filter((text) => !text.startsWith('!')));
  const families = entries.flatMap((entry) => (typeof entry === 'string' ? [] : [entry.startsWith]));
  for (const name of open) {
    if (guarded.has(name)) warn(`allowedTools holds ${name} and !${name}; it is always asked about. Remove one.`);
    if (name !== '*' && name.includes('*')) {
      warn(`allowedTools holds ${name}, which matches nothing but itself. For a family write { startsWith: '…' }.`);
    }
  }
  return {
    allowsAll: open.has('*'),
    allows: (name) => open.has('*') || open.has(name) || families.some((start) => name.startsWith(start)),
    guards: (name) => guarded.has(name),
    unknown: (toolNames) =>
      [...guarded, ...open].filter((name, at, all) => {
        return name !== '*' && !toolNames.includes(name) && all.indexOf(name) === at;
      }),
  };
}

function isEntry(entry: unknown): entry is AllowedTool {
  if (typeof entry === 'string') return entry !== '' && entry !== '!';
  if (typeof entry !== 'object' || entry === null || !('startsWith' in entry)) return false;
  return typeof entry.startsWith === 'string' && entry.startsWith !== '';
}
