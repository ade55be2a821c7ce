import type { Approvals } from '../../app/approvals/index.ts';
import type { UsageOf } from '../../app/keeping/index.ts';
import { orLog } from '../../app/or-log.ts';
import type { Runs } from '../../app/runs/index.ts';
import { readSessionStopped, type Wish } from '../payloads/index.ts';
import {
  type Arrival,
  answerPrivately,
  answerTrustWords,
  sentence,
  type Taken,
  UNTOLD,
  type WordsAnswer,
  writerOf,
} from '../responding/index.ts';
import { ANSWERS, type MessageView, notYoursToTry, THREAD_HELP, usageView, waitingView } from '../views/index.ts';
import type { CommandDeps } from './commands.ts';

export interface MessageDeps extends CommandDeps {
  readonly runs: Runs;
  readonly approvals: Pick<Approvals, 'waitingFor'>;
  readonly usage: UsageOf;
}

/** Answers a message that the door has stored: tells its writer what there is to tell. */
export async function onMessage(deps: MessageDeps, { taken }: Arrival): Promise<void> {
  if (taken?.type === 'for-the-agent') await markKept(deps, taken);
  else if (taken?.type === 'words') await answerWords(deps, taken);
}

async function markKept(
  deps: MessageDeps,
  { message, isFirst }: Extract<Taken, { readonly type: 'for-the-agent' }>,
): Promise<void> {
  if (isFirst) return;
  const { runs, client, log } = deps;
  const { thread, ts } = message;
  const standing = await runs.standing(thread);
  if (standing === 'idle') return;
  // A message that the agent reads at once needs no mark: the reply shows it.
  if (standing !== 'working' || (await runs.keeps(message))) {
    // Slack may refuse the mark, which only helps the eye.
    await client.reactions.add({ channel: thread.channel, timestamp: ts, name: KEPT }).catch((error: unknown) => {
      log.debug('A message that is kept could not be marked', { channel: thread.channel, ts, error });
    });
  }
  // Text in a thread never decides, so the writer is pointed to the buttons.
  if (standing === 'aside') await answerPrivately(deps, undefined, writerOf(message), sentence(ANSWERS.keptAside));
  if (standing === 'waiting') await answerPrivately(deps, undefined, writerOf(message), sentence(ANSWERS.onlyButtons));
}

async function answerWords(deps: MessageDeps, taken: Extract<Taken, { readonly type: 'words' }>): Promise<void> {
  const { approvals, usage, client, log } = deps;
  const { message, wish } = taken;
  const tell = (view: MessageView) => answerPrivately(deps, undefined, writerOf(message), view);
  if (wish.type === 'approvals') {
    // The list may name threads that other people here cannot see.
    const { thread, user, userTeam: team = thread.team } = message;
    return tell(waitingView(await approvals.waitingFor({ user, team })));
  }
  if (wish.type === 'usage') return tell(usageView(await usage(message.thread)));
  const answer = await wordsAnswer(deps, { ...taken, wish });
  if (answer === undefined) return;
  const { view, refused } = answer;
  const { thread, user } = message;
  if (refused !== undefined) {
    log.info('Words were not acted on', { channel: thread.channel, thread: thread.ts, by: user, why: refused });
    return tell(view);
  }
  // It is done by then, and another answer would say that it failed.
  await orLog(log.warn, UNTOLD, { channel: thread.channel, user }, () =>
    client.chat.postMessage({ channel: thread.channel, thread_ts: thread.ts, ...view }),
  );
}

/** This reaction says that the message is stored and that the agent will read it. */
const KEPT = 'eyes';

async function wordsAnswer(
  deps: MessageDeps,
  { wish, done, message: { thread, user } }: WordsToAnswer,
): Promise<WordsAnswer | undefined> {
  const { stop, triedAgain, answer } = done;
  if (answer !== undefined) return answer;
  if (wish.type === 'stop') {
    // The door has tried to stop the run. A stopped run says so itself and names the person.
    return stop === 'stopped' ? undefined : { view: sentence(ANSWERS.nothingRuns), refused: 'nothing runs' };
  }
  if (wish.type === 'try-again') {
    // The run shows itself that it goes on.
    return triedAgain?.type === 'refused'
      ? { view: sentence(notYoursToTry(triedAgain.requester)), refused: 'not the requester and no admin' }
      : undefined;
  }
  const place = { team: thread.team, channel: thread.channel, threadTs: thread.ts, user };
  return answerTrustWords(deps, { wish, place, help: THREAD_HELP });
}

type WordsToAnswer = Extract<Taken, { readonly type: 'words' }> & {
  readonly wish: Exclude<Wish, { readonly type: 'approvals' | 'usage' }>;
};

/** Answers Slack's own Stop button. Stopping is always safe, so every person in the thread may. */
export async function onSessionStopped(
  { runs, bot, log }: Pick<MessageDeps, 'runs' | 'bot' | 'log'>,
  { body }: Arrival,
): Promise<void> {
  const { thread, by, said } = readSessionStopped(body, bot());
  const result = await runs.stop(thread, by, said);
  log.info('A run was stopped from Slack', { channel: thread.channel, thread: thread.ts, by, result });
}
