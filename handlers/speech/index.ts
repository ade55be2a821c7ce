export { onApprovals, onCommand } from './commands.ts';
export { type MessageDeps, onMessage, onSessionStopped } from './messages.ts';
export { onAskAbout, onAsked, onThreadTrust } from './shortcuts.ts';
