import { RunId, TrustId, WorkspaceId } from '../records/index.ts';
import type { JournalKinds } from './store.ts';

const KINDS: {
  readonly [Kind in keyof JournalKinds]: {
    readonly letter: string;
    readonly read: (name: string) => JournalKinds[Kind] | undefined;
  };
} = {
  run: { letter: 'r', read: (name) => RunId.safeParse(name).data },
  grant: { letter: 'g', read: (name) => TrustId.safeParse(name).data },
  workspace: { letter: 'w', read: (name) => WorkspaceId.safeParse(name).data },
};

/** The third letter of every name of this kind. */
export function letterOf(kind: keyof JournalKinds): string {
  return KINDS[kind].letter;
}

/** Keeps the names of this kind, and drops keys that the bot has not written. */
export function readNames<Kind extends keyof JournalKinds>(
  kind: Kind,
  names: readonly string[],
): readonly JournalKinds[Kind][] {
  return names.flatMap((name) => KINDS[kind].read(name) ?? []);
}
