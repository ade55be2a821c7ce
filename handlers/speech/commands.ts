import type { WebClient } from '@slack/web-api';
import type { Approvals } from '../../app/approvals/index.ts';
import type { Trust } from '../../app/authority/index.ts';
import type { Log } from '../../app/log.ts';
import { type BotPayload, readCommand, readCommandWords } from '../payloads/index.ts';
import {
  type AnswerDelivery,
  type Arrival,
  answerPrivately,
  answerTrustWords,
  sentence,
  type TrustWords,
} from '../responding/index.ts';
import { commandHelp, type MessageView, misread, settledView, waitingView } from '../views/index.ts';

export interface CommandDeps {
  readonly trust: Trust;
  readonly client: WebClient;
  readonly log: Log;
  readonly bot: () => BotPayload;
  /** Stands between `/` and the name of each command. */
  readonly commandPrefix: string;
}

/** Answers `/trust`, `/untrust` and `/trusted`. Only the person who typed sees the answer. */
export function onCommand(command: 'trust' | 'untrust' | 'trusted'): AnswerDelivery<CommandDeps> {
  return async (deps, { ack, respond, body }) => {
    const { text, user, channel, delivery } = readCommand(body);
    const place = { team: deps.bot().team_id, channel, user };
    const wish = readWish(command, text);
    const help = commandHelp(deps.commandPrefix);
    const { view, refused } = await answerTrustWords(deps, { wish, place, help, delivery });
    await ack();
    if (refused !== undefined) deps.log.info('Words were not acted on', { channel, by: user, why: refused });
    await answerPrivately(deps, respond, { user, channel, threadTs: undefined }, view);
  };
}

export type ApprovalCommandDeps = CommandDeps & { readonly approvals: Pick<Approvals, 'waitingFor' | 'settledFor'> };

/** Answers `/approvals` with what waits for the person who typed it. Only that person sees the answer. */
export async function onApprovals(deps: ApprovalCommandDeps, { ack, respond, body }: Arrival): Promise<void> {
  const { user, channel, team, text } = readCommand(body);
  const tell = async (view: MessageView) => {
    await ack();
    await answerPrivately(deps, respond, { user, channel, threadTs: undefined }, view);
  };
  const by = { user, team: team ?? deps.bot().team_id };
  const word = text.trim().toLowerCase();
  if (word === 'log') return tell(settledView(await deps.approvals.settledFor(by)));
  const help = commandHelp(deps.commandPrefix);
  if (word !== '') return tell(sentence(word === 'help' ? help : misread(notUnderstood(text), help)));
  await tell(waitingView(await deps.approvals.waitingFor(by)));
}

function readWish(command: 'trust' | 'untrust' | 'trusted', text: string): TrustWords {
  if (command === 'trusted') return readTrusted(text);
  const wish = readCommandWords(command, text);
  switch (wish.type) {
    // These words are about a thread, and a command does not name one.
    case 'stop':
    case 'try-again':
    case 'approvals':
    case 'usage':
      return { type: 'help' };
    default:
      return wish;
  }
}

function readTrusted(text: string): TrustWords {
  const word = text.trim().toLowerCase();
  if (word === 'help') return { type: 'help' };
  return word === '' ? { type: 'trusted' } : { type: 'misread', problem: notUnderstood(text) };
}

const notUnderstood = (text: string): string => `I do not understand “${text.trim()}” here.`;
