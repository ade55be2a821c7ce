import type { Delivery } from '../responding/index.ts';
import { SHORTCUT } from '../views/index.ts';
import { type ApprovalCommandDeps, onApprovals, onCommand } from './commands.ts';
import { type MessageDeps, onMessage, onSessionStopped } from './messages.ts';
import { type AskedDeps, onAskAbout, onAsked, onThreadTrust } from './shortcuts.ts';

export type SpeechDeps = MessageDeps & ApprovalCommandDeps & AskedDeps;

const MESSAGES = ['message.channels', 'message.groups', 'message.im', 'message.mpim'];

/** What people say to the bot in words: messages, commands and the menu of a message. */
export const SPEECH: readonly Delivery<SpeechDeps>[] = [
  { kind: 'event', name: 'app_mention', declared: ['app_mention'], answer: onMessage },
  { kind: 'event', name: 'message', declared: MESSAGES, answer: onMessage },
  { kind: 'event', name: 'agent_session_stopped', declared: ['agent_session_stopped'], answer: onSessionStopped },
  { kind: 'shortcut', name: SHORTCUT.ask, answer: onAskAbout },
  { kind: 'shortcut', name: SHORTCUT.trust, answer: onThreadTrust },
  { kind: 'form', name: 'ask_about_message', answer: onAsked },
  { kind: 'command', name: '/trust', answer: onCommand('trust') },
  { kind: 'command', name: '/untrust', answer: onCommand('untrust') },
  { kind: 'command', name: '/trusted', answer: onCommand('trusted') },
  { kind: 'command', name: '/approvals', answer: onApprovals },
];
