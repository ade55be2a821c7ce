import type { Conversation } from '../model/conversation.ts';
import { askMe } from './answers/ask-me.ts';
import { askMeWithAForm } from './answers/ask-me-with-a-form.ts';
import { dropTheOldDatabase } from './approvals/drop-the-old-database.ts';
import { restart } from './approvals/restart.ts';
import { restartEverything } from './approvals/restart-everything.ts';
import { restartTheFleet } from './approvals/restart-the-fleet.ts';
import { hostile } from './surprises/hostile.ts';
import { explain } from './talk/explain.ts';
import { files } from './talk/files.ts';
import { hello } from './talk/hello.ts';
import { status } from './talk/status.ts';

/** The first that begins with what a person said is played. */
export const PLAYS: readonly Conversation[] = [
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
