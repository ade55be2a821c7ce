import type { ApiObject } from '../json.ts';
import type { State } from '../state.ts';
import { PlatformError } from './call.ts';

/** Which scope a method needs. A star stands for the kind of the conversation. A method without a row needs none. */
const NEEDED: Readonly<Record<string, string>> = {
  'agents.sessions.rename': 'chat:write',
  'agents.sessions.setStatus': 'chat:write',
  'assistant.threads.setStatus': 'chat:write',
  'assistant.threads.setSuggestedPrompts': 'assistant:write',
  'assistant.threads.setTitle': 'assistant:write',
  'chat.appendStream': 'chat:write',
  'chat.delete': 'chat:write',
  'chat.postEphemeral': 'chat:write',
  'chat.postMessage': 'chat:write',
  'chat.startStream': 'chat:write',
  'chat.stopStream': 'chat:write',
  'chat.update': 'chat:write',
  'conversations.history': '*:history',
  'conversations.info': '*:read',
  'conversations.members': '*:read',
  'conversations.open': 'im:write',
  'conversations.replies': '*:history',
  'files.completeUploadExternal': 'files:write',
  'files.getUploadURLExternal': 'files:write',
  'files.info': 'files:read',
  'reactions.add': 'reactions:write',
  'reactions.remove': 'reactions:write',
  'team.info': 'team:read',
  'usergroups.list': 'usergroups:read',
  'usergroups.users.list': 'usergroups:read',
  'users.info': 'users:read',
  'users.list': 'users:read',
};

const KINDS = ['channels', 'groups', 'im', 'mpim'];
const KIND_OF = { channel: 'channels', im: 'im' } as const;

/** What the app declared, or every scope there is. */
export type Scopes = readonly string[] | undefined;

/** Refuses a method whose scope the app did not declare, and says which one it needs and which ones it has. */
export function checkScope(state: State, scopes: Scopes, method: string, { channel }: ApiObject): void {
  const needed = NEEDED[method];
  if (scopes === undefined || needed === undefined) return;
  const type = state.channels.get(String(channel))?.type;
  const kinds = type === undefined ? KINDS : [KIND_OF[type]];
  const enough = needed.startsWith('*') ? kinds.map((kind) => needed.replace('*', kind)) : [needed];
  if (enough.some((scope) => scopes.includes(scope))) return;
  throw new PlatformError('missing_scope', [], { needed: enough.join(','), provided: scopes.join(',') });
}
