import { LIMITS } from '../../app/limits.ts';
import { type Thread, threadKey, UserId } from '../../app/records/index.ts';
import { ANN, BEN, BOT, OPS, TEAM, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { type Changes, createChanges } from './changes.ts';
import { pressSomething, questionsOn } from './presses.ts';
import { type Replica, startReplica } from './replica.ts';
import type { World } from './world.ts';

/** The processes and people of a story. Processes start and die; people write and press in one thread at random. */
export interface Cast {
  /** The first message of each thread. */
  readonly roots: readonly SlackMessage[];
  readonly changes: Changes;
  readonly start: () => Promise<void>;
  /** The number of processes that take deliveries and jobs. */
  readonly serving: () => number;
  readonly writes: () => void;
  /** A person presses a drawn button. */
  readonly presses: () => void;
  readonly stops: () => void;
  /** The requester lets a thread go on with which processes died too often. */
  readonly triesAgain: () => void;
  /** Slack delivers a message that no process has acknowledged, or repeats an old one. */
  readonly delivers: (what: 'owed' | 'old') => void;
  /** The queue gives a process a thread. */
  readonly handsOut: () => void;
  readonly dies: () => void;
  readonly leavesPolitely: () => void;
  /** Every process leaves, and the next ones start with one and the same deployment. */
  readonly deploysOne: () => void;
  readonly standsStill: () => void;
  readonly goesOn: (who: 'one' | 'all') => void;
  /** No delivery and no job is on its way, and no card asks a question. */
  readonly isQuiet: () => boolean;
  readonly inThread: () => readonly SlackMessage[];
  readonly counts: { readonly crashes: number; readonly pauses: number; readonly stops: number };
}

export function createCast(world: World): Cast {
  const { chance, schedule, slack, store, isChanging } = world;
  const replicas: Replica[] = [];
  const counts = { crashes: 0, pauses: 0, stops: 0 };
  const begin = (user: string, text: string) => slack.write({ channel: OPS, user, text: `<@${BOT}> ${text}` });
  const first = begin(ANN, 'restart the payments service');
  const roots = isChanging ? [first, begin(BEN, 'restart the search service')] : [first];
  let tries = 0;
  const owed = new Set(roots);

  const pickPerson = () => UserId.parse(chance.pick([ANN, BEN, ZOE]));
  const serving = () => replicas.filter(({ isServing }) => isServing());
  const pickReplica = () => chance.pick(serving());
  const pickRoot = () => (isChanging ? chance.pick(roots) : undefined) ?? first;
  const threadOf = ({ ts, threadTs = ts }: SlackMessage): Thread => ({ team: TEAM, channel: OPS, ts: threadTs });
  const isAside = async (thread: Thread) => {
    const { aside, deaths } = await store.facts.thread(threadKey(thread));
    return aside !== undefined || deaths >= LIMITS.deathsPerRun;
  };
  const inThread = () => slack.messages().filter(({ ts, threadTs = ts }) => roots.some((root) => root.ts === threadTs));
  const changes = createChanges(world, { pickPerson, pickReplica, pickRoot, inThread });
  /** Slack delivers nothing where the app is removed. */
  const pickReached = () => (slack.isInstalled() ? pickReplica() : undefined);

  return {
    roots,
    changes,
    counts,
    inThread,
    serving: () => serving().length,
    start: async () => {
      replicas.push(await startReplica(world, `bot${replicas.length + 1}`));
    },
    writes: () =>
      void owed.add(slack.write({ channel: OPS, threadTs: pickRoot().ts, user: pickPerson(), text: 'And search.' })),
    presses: () => pressSomething(world, { pickPerson, pickCore: () => pickReached()?.core, drawn: inThread() }),
    stops: () => {
      counts.stops += 1;
      const [core, person] = [pickReached()?.core, pickPerson()];
      const thread = threadOf(pickRoot());
      // What is set aside in a night is honest, and goes on at its end. A stop could leave it as it is.
      void isAside(thread).then((aside) => (aside ? undefined : core?.runs.stop(thread, person).catch(() => {})));
    },
    triesAgain: () => {
      const core = pickReached()?.core;
      const thread = threadOf(pickRoot());
      tries += 1;
      const words = { thread, user: UserId.parse(ANN), userTeam: TEAM, ts: `${tries}.0`, text: 'try again' };
      void isAside(thread).then((aside) => (aside ? core?.runs.tryAgain(words).catch(() => {}) : undefined));
    },
    delivers: (what) => {
      const message = chance.pick(what === 'owed' ? [...owed] : inThread().filter(({ user }) => user !== BOT));
      if (message === undefined) return;
      const { ts, text, user } = message;
      pickReached()
        ?.core.runs.take({ thread: threadOf(message), user: UserId.parse(user), userTeam: TEAM, ts, text })
        .then(
          () => owed.delete(message),
          () => {},
        );
    },
    handsOut: () => {
      const [next] = store.queue.splice(chance.below(store.queue.length), 1);
      if (next !== undefined) pickReplica()?.job(next);
    },
    dies: () => {
      const gone = pickReplica();
      if (gone === undefined) return;
      schedule.note(`${gone.process.name} dies`);
      gone.process.alive = false;
      gone.process.losses += 1;
      store.listeners.delete(gone.process);
      counts.crashes += 1;
    },
    leavesPolitely: () => pickReplica()?.stop(),
    deploysOne: () => {
      world.deployments = world.deployments.slice(0, 1);
      for (const replica of serving()) replica.stop();
    },
    standsStill: () => {
      const still = pickReplica();
      if (still === undefined) return;
      schedule.note(`${still.process.name} stands still`);
      still.process.paused = true;
      still.process.losses += 1;
      counts.pauses += 1;
    },
    goesOn: (who) => {
      const still = replicas.map(({ process }) => process).filter(({ paused }) => paused);
      for (const process of who === 'all' ? still : still.slice(0, 1)) {
        schedule.note(`${process.name} goes on`);
        process.paused = false;
      }
    },
    isQuiet: () =>
      owed.size === 0 &&
      changes.isQuiet() &&
      store.queue.length === 0 &&
      inThread().every((message) => questionsOn(message).length === 0),
  };
}
