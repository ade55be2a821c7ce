import { randomBytes } from 'node:crypto';
import { ApprovalId, GrantId, RunId, WorkspaceId } from './records.ts';
import { digits } from './store/keys.ts';

interface Ids {
  readonly r: RunId;
  readonly a: ApprovalId;
  readonly g: GrantId;
  readonly w: WorkspaceId;
}

const KINDS: { readonly [Letter in keyof Ids]: { readonly parse: (text: string) => Ids[Letter] } } = {
  r: RunId,
  a: ApprovalId,
  g: GrantId,
  w: WorkspaceId,
};

/**
 * A new name for a run, an approval, a grant or a workspace. Nobody can guess it, and whoever holds it knows which
 * shard of the store to ask. The shard is that of the thread (runs, approvals) or of the team (grants, workspaces).
 */
export function newId<Letter extends keyof Ids>(letter: Letter, shard: number): Ids[Letter] {
  return KINDS[letter].parse(`${digits(shard)}${letter}${randomBytes(16).toString('base64url')}`);
}
