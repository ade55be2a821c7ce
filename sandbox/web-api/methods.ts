import {
  addReaction,
  removeReaction,
  renameSession,
  setSessionStatus,
  setSuggestedPrompts,
  setThreadStatus,
  setThreadTitle,
} from './agents.ts';
import type { Method } from './call.ts';
import { authTest, getPermalink, postEphemeral, postMessage, remove, update } from './chat.ts';
import { completeUpload, fileInfo, getUploadAddress } from './files.ts';
import {
  groupList,
  groupMembers,
  history,
  info,
  members,
  open,
  replies,
  teamInfo,
  userInfo,
  userList,
} from './reading.ts';
import { appendStream, startStream, stopStream } from './streams.ts';
import { teamsList } from './teams.ts';
import * as views from './views.ts';

/** The methods that are played here. `apps.connections.open` belongs to the sockets and is answered by the server. */
export const METHODS: ReadonlyMap<string, Method> = new Map([
  ['agents.sessions.rename', renameSession],
  ['agents.sessions.setStatus', setSessionStatus],
  ['assistant.threads.setStatus', setThreadStatus],
  ['assistant.threads.setSuggestedPrompts', setSuggestedPrompts],
  ['assistant.threads.setTitle', setThreadTitle],
  ['auth.teams.list', teamsList],
  ['auth.test', authTest],
  ['chat.appendStream', appendStream],
  ['chat.delete', remove],
  ['chat.getPermalink', getPermalink],
  ['chat.postEphemeral', postEphemeral],
  ['chat.postMessage', postMessage],
  ['chat.startStream', startStream],
  ['chat.stopStream', stopStream],
  ['chat.update', update],
  ['conversations.history', history],
  ['conversations.info', info],
  ['conversations.members', members],
  ['conversations.open', open],
  ['conversations.replies', replies],
  ['files.completeUploadExternal', completeUpload],
  ['files.info', fileInfo],
  ['files.getUploadURLExternal', getUploadAddress],
  ['reactions.add', addReaction],
  ['reactions.remove', removeReaction],
  ['team.info', teamInfo],
  ['usergroups.list', groupList],
  ['usergroups.users.list', groupMembers],
  ['users.info', userInfo],
  ['users.list', userList],
  ['views.open', views.open],
  ['views.publish', views.publish],
  ['views.push', views.push],
  ['views.update', views.update],
]);
