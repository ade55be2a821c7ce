import type { Trust } from '../../app/authority/index.ts';
import type { InboxMessage } from '../../app/records/index.ts';
import type { Runs } from '../../app/runs/index.ts';
import { createTurns } from '../../app/time/index.ts';
import { readThreadWords, type Wish } from '../payloads/index.ts';
import { answerTrustWords, type Done, type Taken, type WhyNotHeard } from '../responding/index.ts';
import { THREAD_HELP } from '../views/index.ts';
import { spelledFor, type Workspace } from '../workspaces/index.ts';

export interface TakingDeps {
  readonly runs: Pick<Runs, 'knows' | 'isLostThread' | 'take' | 'once' | 'stop' | 'standing' | 'tryAgain'>;
  readonly trust: Trust;
  /** Says why the agent is not given a message, and tells its author. */
  readonly whyNotHeard: WhyNotHeard;
}

type WordsDeps = TakingDeps & Pick<Workspace, 'client'>;

/** A message as it was read from a delivery. */
export interface ReadMessage {
  readonly workspace: Workspace;
  readonly message: InboxMessage;
  /** It mentions the bot or was written to it directly. */
  readonly addressed: boolean;
}

/** Returns what was taken, or in words why the message was not. */
export type Take = (said: ReadMessage) => Promise<Taken | string>;

/** Takes a message before it is acknowledged: stores it for the agent, or carries out its words. */
export function createTake(deps: TakingDeps): Take {
  const inTurn = createTurns();
  return async ({ workspace, message: said, addressed }) => {
    // Every message of every channel the bot is in arrives here, so this check comes before all others.
    if (!addressed && !(await isOurs(deps.runs, said))) return 'a message of a thread that is not ours';
    const message = await spelledHere(workspace, said);
    const words = addressed ? readThreadWords(message.text, workspace.bot.user_id) : undefined;
    // Words that come with a file or a forwarded message are about that. To stop is always safe.
    const isAlone = message.files === undefined && message.forwarded === undefined;
    const wish = isAlone || words?.type === 'stop' ? words : undefined;
    if (wish === undefined || !(await isForBot(deps.runs, wish, message))) return takeForAgent(deps, message);
    // A mention arrives twice at once, and the second delivery would find nothing left to take back.
    return inTurn(`${message.thread.channel}:${message.ts}`, () =>
      takeWords({ ...deps, client: workspace.client }, wish, message),
    );
  };
}

/** After the store was emptied, the first message of a thread that was the bot's begins a run, which tells the thread so. */
async function isOurs(runs: TakingDeps['runs'], message: InboxMessage): Promise<boolean> {
  return (await runs.knows(message.thread)) || (await runs.isLostThread(message));
}

/** *Try again* is for the agent, unless its run is set aside. */
async function isForBot(runs: TakingDeps['runs'], wish: Wish, message: InboxMessage): Promise<boolean> {
  return wish.type !== 'try-again' || isAside(runs, message);
}

async function isAside(runs: TakingDeps['runs'], { thread }: InboxMessage): Promise<boolean> {
  return (await runs.standing(thread)) === 'aside';
}

async function spelledHere(workspace: Workspace, said: InboxMessage): Promise<InboxMessage> {
  const { user, userTeam: team } = said;
  return team === undefined ? said : { ...said, userTeam: await spelledFor(workspace, { user, team }, 'message') };
}

async function takeForAgent({ runs, whyNotHeard }: TakingDeps, message: InboxMessage): Promise<Taken | string> {
  const why = await whyNotHeard(message);
  if (why !== undefined) return why;
  const result = await runs.take(message);
  if (result === 'seen') return 'a message that was taken before';
  return { type: 'for-the-agent', message, isFirst: result === 'taken' };
}

/**
 * The words are carried out before they are marked as seen: if the process dies between, Slack delivers them again. It is
 * the other way round where a run is set aside: to stop it may end this process, and must not end the next one as well.
 */
async function takeWords(deps: WordsDeps, wish: Wish, message: InboxMessage): Promise<Taken | string> {
  if (wish.type === 'try-again') return tryAgain(deps, wish, message);
  const isFirst = () => deps.runs.once(message.thread, `words:${message.ts}`);
  const marksFirst = wish.type === 'stop' && (await isAside(deps.runs, message));
  if (marksFirst && !(await isFirst())) return ANSWERED;
  const done = await carryOut(deps, wish, message);
  return marksFirst || (await isFirst()) ? { type: 'words', wish, message, done } : ANSWERED;
}

const ANSWERED = 'words that were answered before';

async function tryAgain({ runs }: TakingDeps, wish: Wish, message: InboxMessage): Promise<Taken | string> {
  const triedAgain = await runs.tryAgain(message);
  return triedAgain.type === 'seen' ? ANSWERED : { type: 'words', wish, message, done: { triedAgain } };
}

async function carryOut(deps: WordsDeps, wish: Wish, { thread, user, ts }: InboxMessage): Promise<Done> {
  if (wish.type === 'stop') return { stop: await deps.runs.stop(thread, user, ts) };
  const place = { team: thread.team, channel: thread.channel, threadTs: thread.ts, user };
  if (wish.type !== 'trust' && wish.type !== 'untrust') return {};
  return {
    answer: await answerTrustWords(deps, { wish, place, help: THREAD_HELP, delivery: `${thread.channel}:${ts}` }),
  };
}
