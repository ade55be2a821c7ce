import type { Conversation } from '../model/conversation.ts';
import { askMe } from './answers/ask-me.ts';
import { askMeWithAForm } from './answers/ask-me-with-a-form.ts';
import { bookARoom } from './answers/book-a-room.ts';
import { dropTheOldDatabase } from './approvals/drop-the-old-database.ts';
import { refund } from './approvals/refund.ts';
import { restart } from './approvals/restart.ts';
import { restartEverything } from './approvals/restart-everything.ts';
import { restartTheFleet } from './approvals/restart-the-fleet.ts';
import { rotateTheKey } from './approvals/rotate-the-key.ts';
import type { Play } from './kit/play.ts';
import { archiveThenDrop } from './surprises/archive-then-drop.ts';
import { askAgain } from './surprises/ask-again.ts';
import { followTheRunbook } from './surprises/follow-the-runbook.ts';
import { hostile } from './surprises/hostile.ts';
import { makeRoom } from './surprises/make-room.ts';
import { openTheDoor } from './surprises/open-the-door.ts';
import { rebuildTheIndex } from './surprises/rebuild-the-index.ts';
import { callATool } from './talk/call-a-tool.ts';
import { explain } from './talk/explain.ts';
import { files } from './talk/files.ts';
import { hello } from './talk/hello.ts';
import { status } from './talk/status.ts';

export type { Play } from './kit/play.ts';

/** What people are offered. The first play that begins with what a person said is played. */
export const PLAYS: readonly Play[] = [
  callATool,
  refund,
  rotateTheKey,
  bookARoom,
  makeRoom,
  followTheRunbook,
  archiveThenDrop,
  openTheDoor,
  rebuildTheIndex,
  askMeWithAForm,
  askMe,
  restartEverything,
  restartTheFleet,
  restart,
  status,
  dropTheOldDatabase,
  hostile,
  explain,
  files,
  hello,
];

/** The plays to begin with: each shows another promise. */
export const OFFERED: readonly Play[] = [
  restart,
  refund,
  dropTheOldDatabase,
  rotateTheKey,
  followTheRunbook,
  openTheDoor,
];

/** What else the model answers. The page offers none of it. */
export const REPLIES: readonly Conversation[] = [askAgain];
