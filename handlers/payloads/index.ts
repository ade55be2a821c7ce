export type { BotPayload } from './bot.ts';
export { unescaped } from './escapes.ts';
export { readForwarded } from './forwarded.ts';
export { contentOf, FileContent, FilePlace, isHostedBySlack, readFiles } from './message-files.ts';
export { readLeft, readRemoved, readSubject, readTeams, readToldAt, readWorkspace } from './origin.ts';
export {
  isEvent,
  readCommand,
  readDelivery,
  readHomeOpened,
  readPerson,
  readSessionStopped,
  readTitle,
} from './parse.ts';
export {
  filledIn,
  type PressedButton,
  type PressedPlace,
  readApprovalId,
  readFilledIn,
  readGrantId,
  readPress,
  readSubmission,
  type SubmittedForm,
} from './press.ts';
export { type ChosenMessage, readShortcut } from './shortcut.ts';
export { readCommandWords, readThreadWords, type Wish, type WishScope } from './words.ts';
