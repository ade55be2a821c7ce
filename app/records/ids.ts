import { z } from 'zod';

const idOf = <Kind extends string>(letter: string) =>
  z
    .string()
    .regex(new RegExp(`^\\d{2}${letter}[A-Za-z0-9_-]{22}$`))
    .brand<Kind>();

/** Two digits of shard, a letter, and 128 random bits. The shard is in the id so that a button alone finds its run. */
export const RunId = idOf<'RunId'>('r');
export const ApprovalId = idOf<'ApprovalId'>('a');
export const TrustId = idOf<'TrustId'>('g');
export type RunId = z.infer<typeof RunId>;
export type ApprovalId = z.infer<typeof ApprovalId>;
export type TrustId = z.infer<typeof TrustId>;

/** Names the journal of a workspace, or that of the deployment. Runs and trusts have their own journals. */
export const WorkspaceId = idOf<'WorkspaceId'>('w');
export type WorkspaceId = z.infer<typeof WorkspaceId>;
export type JournalName = RunId | TrustId | WorkspaceId;

/** `team:channel:ts`. It has the team because channel and user ids alone do not separate tenants. */
export const ThreadKey = z
  .string()
  .regex(/^[^:]+:[^:]+:[^:]+$/)
  .brand<'ThreadKey'>();
export type ThreadKey = z.infer<typeof ThreadKey>;

export const Thread = z
  .object({
    team: z.string().min(1),
    channel: z.string().min(1),
    ts: z.string().min(1),
    /** Where `team` is an organisation: the workspace in which the thread was written. It is no part of the thread's key. */
    workspace: z.string().optional(),
  })
  .readonly();
export type Thread = z.infer<typeof Thread>;

export function threadKey({ team, channel, ts }: Thread): ThreadKey {
  return ThreadKey.parse(`${team}:${channel}:${ts}`);
}

export const UserId = z.string().min(1).brand<'UserId'>();
export type UserId = z.infer<typeof UserId>;

/** Slack's ids of user groups begin with `S`, and those of people with another letter. */
export function isGroup(id: string): boolean {
  return id.startsWith('S');
}

/** A person of Slack. From a verified payload or the journal, never from text. */
export interface Person {
  readonly user: UserId;
  readonly team: string;
}

/** The team of a person when neither the delivery nor Slack names it. Such a person decides nothing, but is no outsider. */
export const UNKNOWN_TEAM = 'unknown';
