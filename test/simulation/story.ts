import { vi } from 'vitest';
import { verify } from '../../app/keeping/index.ts';
import { LIMITS } from '../../app/limits.ts';
import { ApprovalId } from '../../app/records/index.ts';
import { says } from '../support/bot.ts';
import { answersLost } from '../support/cut-turns.ts';
import { type History, readRun, readThread, readThreads } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { keyOf } from '../support/read-history.ts';
import { type Cast, createCast } from './cast.ts';
import { type Changes, waitsForNoPerson } from './changes.ts';
import { createWorld, type World } from './world.ts';

/** The result of a story. */
export interface Told {
  /** One sentence for each broken promise. */
  readonly broken: readonly string[];
  readonly steps: number;
  readonly crashes: number;
  readonly pauses: number;
  readonly begun: number;
  readonly changes: Changes['counts'];
  /** The number of direct messages to people. */
  readonly told: number;
  /** The last events, and the journal. */
  readonly trace: readonly string[];
}

/** The number of events before the world becomes calm, and the number after which every run must have ended. */
const WILD_STEPS = { usual: 250, changing: 900 } as const;
const CALM_STEPS = 6_000;
const REPLICAS = 2;

type Faked = NonNullable<NonNullable<Parameters<typeof vi.useFakeTimers>[0]>['toFake']>;
export const FAKED: Faked = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'];

/**
 * One thread, some processes, people who press and write at random, and a network that loses messages. `spoil` breaks a
 * promise that the rest relies on.
 */
export async function tell(seed: number, spoil: (world: World) => void = () => {}): Promise<Told> {
  vi.useFakeTimers({ toFake: FAKED, now: 1_700_000_000_000 });
  const world = await createWorld(seed);
  spoil(world);
  // This keeps the sweeps of two processes from starting at the same time.
  const random = vi.spyOn(Math, 'random').mockImplementation(() => world.chance.below(1_000) / 1_000);
  try {
    const cast = createCast(world);
    const wild = await runWild(world, cast);
    const calm = await calmDown(world, cast);
    return await judge(world, cast, { steps: wild + calm.steps, ended: calm.ended });
  } finally {
    random.mockRestore();
    vi.clearAllTimers();
    vi.useRealTimers();
  }
}

async function runWild({ chance, schedule, isRough, isChanging }: World, cast: Cast): Promise<number> {
  const times = (rough: number) => (isRough ? rough : 1);
  const wait = (...ms: readonly number[]) => vi.advanceTimersByTime(chance.pick(ms) ?? 0);
  const join = async () => {
    if (cast.serving() < REPLICAS) await cast.start();
  };
  /** The store's clock jumps, so waiting questions become due. After a whole day Slack repeats no delivery. */
  let jumped = false;
  const halfADay = () => {
    if (!jumped) vi.setSystemTime(Date.now() + LIMITS.approvalLifetimeMs / 2 + 1_000);
    jumped = true;
  };
  const { changes } = cast;
  const changing: readonly (readonly [weight: number, happen: () => unknown])[] = [
    [0.1, () => changes.installs(false)],
    [0.5, () => changes.installs(true)],
    [2, changes.tells],
    [0.6, changes.deletesCard],
    [1.5, changes.speaksOfTrust],
    [0.1, () => vi.setSystemTime(Date.now() - chance.below(10_000))],
  ];
  /** Other events, and how often they happen. */
  const events: readonly (readonly [weight: number, happen: () => unknown])[] = [
    [6, () => wait(50, 200, 600, 2_000)],
    [times(2), () => wait(6_000, 20_000)],
    [0.05, halfADay],
    [6, cast.handsOut],
    [4, cast.presses],
    [3, () => cast.delivers('owed')],
    [0.3, () => cast.delivers('old')],
    [0.6, cast.writes],
    [0.1 * times(3), cast.stops],
    [0.8 * times(2), cast.dies],
    [0.3, cast.leavesPolitely],
    [0.6 * times(3), cast.standsStill],
    [1, () => cast.goesOn('one')],
    [1, join],
    ...(isChanging ? changing : []),
  ];
  const all = events.reduce((sum, [weight]) => sum + weight, 0);
  const something = () => {
    let left = (chance.below(10_000) / 10_000) * all;
    for (const [weight, happen] of events) {
      left -= weight;
      if (left < 0) return happen;
    }
    return join;
  };

  for (let at = 0; at < REPLICAS; at += 1) await cast.start();
  const most = WILD_STEPS[isChanging ? 'changing' : 'usual'];
  for (let steps = 0; steps < most; steps += 1) {
    if (cast.serving() === 0) await cast.start();
    if (chance.happens(0.25) || !(await schedule.step())) await something()();
  }
  return most;
}

/** From here on no message is lost and no process dies, and people answer each question. Then every run must end. */
async function calmDown(world: World, cast: Cast): Promise<{ readonly steps: number; readonly ended: boolean }> {
  world.weather.refused = 0;
  world.weather.lost = 0;
  cast.goesOn('all');
  if (world.isChanging) {
    cast.changes.installs(true);
    cast.deploysOne();
  }
  let wasOver = false;
  for (let steps = 0; steps < CALM_STEPS; steps += 1) {
    if (cast.serving() === 0) await cast.start();
    if (await world.schedule.step()) continue;
    const isOverNow: boolean = cast.isQuiet() && (await isOver(world, cast));
    // A process that stood still may only now find that the run is over, and then shows it.
    if (isOverNow && wasOver) return { steps, ended: true };
    wasOver = isOverNow;
    cast.delivers('owed');
    cast.handsOut();
    cast.presses();
    cast.triesAgain();
    if (world.isChanging) cast.changes.tells();
    vi.advanceTimersByTime(1_000);
    if (world.isChanging && steps > CALM_STEPS / 2 && (await waitsForNoPerson(world, cast.roots)))
      vi.setSystemTime(Date.now() + LIMITS.approvalLifetimeMs);
  }
  return { steps: CALM_STEPS, ended: false };
}

async function isOver({ store }: World, { roots }: Cast): Promise<boolean> {
  // This runs at each moment of calm, and is cheaper than reading the journal.
  if (store.facts.scheduled().todo.size > 0) return false;
  for (const root of roots) {
    const { runs, thread } = await readThread(store.facts, root);
    // A run owes this last. A stop that comes when the thread is set aside leaves it without a run.
    const isSealed = runs.at(-1)?.entries.some(({ type }) => type === 'sealed') ?? true;
    if (!isSealed || thread.inbox.length > 0) return false;
  }
  return true;
}

/** What Slack refused while the app was removed is not shown later. */
const SHOWN = /^(D7|D12|P6|P53):/;

async function judge(
  world: World,
  cast: Cast,
  { steps, ended }: { readonly steps: number; readonly ended: boolean },
): Promise<Told> {
  const { store, witnessed, asked, schedule } = world;
  const stored = await readThreads(store.facts, cast.roots, async () => store.facts.scheduled());
  const known = new Set(stored.runs.map(({ run }) => run));
  // A stop that comes when the thread is set aside leaves it without its run, of which no other run knows then.
  const left = (await store.facts.journals('run')).filter((run) => !known.has(run));
  const history: History = {
    ...stored,
    runs: [...(await Promise.all(left.map((run) => readRun(store.facts, run)))), ...stored.runs],
    messages: cast.inThread(),
    begun: witnessed.filter(({ step }) => step === 'begun'),
    done: witnessed.filter(({ step }) => step === 'done'),
    modelRequests: asked.length,
  };
  // Each stop by a person cuts off an answer of the model, and so does the removal of the app.
  const stopped = history.runs.filter(({ entries }) => entries.some(({ type }) => type === 'run-stopped'));
  const removals = cast.changes.wasRemoved() ? stopped.length : 0;
  const cutTurns = answersLost(history, asked) + cast.counts.stops + removals;
  const found = brokenRules({ history, before: [], cutTurns });
  const audited = await verify(store.facts);
  const isShown = !cast.changes.wasRemoved();
  return {
    // A message whose delivery was lost is repeated, and heard behind those that were written after it.
    broken: [
      ...found.filter((what) => !what.endsWith('out of order') && (isShown || !SHOWN.test(what))),
      ...audited.findings.map((what) => `the audit says ${what}`),
      ...(await cast.changes.unended()),
      ...(ended
        ? isShown
          ? [...staleCopies(world, history), ...staleStatus(world, cast)]
          : []
        : ['it comes to no end']),
    ],
    steps,
    ...cast.counts,
    changes: cast.changes.counts,
    begun: history.begun.length,
    told: world.slack.messages().filter(({ channel }) => channel.startsWith('D')).length,
    trace: [...schedule.trace(), ...history.runs.flatMap(({ run, lines }) => [run, ...lines])],
  };
}

/** At the end, the status of a thread without work must say so. */
function staleStatus({ slack }: World, { roots }: Cast): readonly string[] {
  return roots.flatMap(({ ts }) => {
    const status = slack.status(ts);
    return status === 'active' ? [] : [`P29: the thread says ${status}, and nobody works`];
  });
}

/**
 * Direct messages from before the end of their question that still say that it waits. A message that a process sent after
 * the end, or a second time, is excused if that process then died, because no process looks for it any more. Where processes
 * have other rules, they also tell other people, and do not look for what a dead one told.
 */
function staleCopies({ slack, isChanging }: World, { runs }: History): readonly string[] {
  if (isChanging) return [];
  const all = runs.flatMap(({ entries }) => entries);
  const ends = new Map(
    all.flatMap((entry) =>
      entry.type === 'call-decided' || entry.type === 'call-expired' || entry.type === 'call-cancelled'
        ? [[entry.approval, entry.atMs] as const]
        : [],
    ),
  );
  const known = all.flatMap((entry) =>
    entry.type === 'call-reminded' || entry.type === 'copies-found'
      ? (entry.copies ?? []).map(({ card }) => ({ key: `${entry.what}:${entry.approval}`, card }))
      : [],
  );
  return slack.messages().flatMap((message) => {
    const key = keyOf(message);
    const id = ApprovalId.safeParse(key?.split(':')[1]).data;
    const overMs = id === undefined ? undefined : ends.get(id);
    const wasTold = overMs !== undefined && slack.writtenMs(message.ts) < overMs;
    const there = known.filter((one) => one.key === key && one.card.channel === message.channel);
    const isSecond = there.length > 0 && there.every(({ card }) => card.ts !== message.ts);
    const isStale = wasTold && !isSecond && says(message, 'View and decide');
    return isStale ? [`${message.ts} says that ${id} waits, and it is over`] : [];
  });
}
