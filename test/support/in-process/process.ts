import { assemble, type Core } from '../../../app/assembly/index.ts';
import type { Borders } from '../../../app/borders.ts';
import { LIMITS } from '../../../app/limits.ts';
import type { ThreadKey } from '../../../app/records/index.ts';
import type { AtStep } from '../../../app/step.ts';
import type { Store } from '../../../app/store/index.ts';
import { createClaims } from '../../../app/work/claims.ts';
import { createSweep } from '../../../app/work/sweep.ts';
import { offers } from '../../../handlers/views/card/offers.ts';

/** One process of the bot: the real parts that decide, with nothing of an operating system around them. */
export interface BotProcess {
  readonly core: Core;
  /** What a sweep, a heartbeat and the lifecycle do now and then, once. */
  readonly looksAround: () => Promise<void>;
  /** From here on it sweeps by itself, as often as it does in a deployment. */
  readonly sweeps: () => void;
  /** Does this process hold the run of this thread in memory, at work or waiting? A parked one is in the journal alone. */
  readonly holds: (thread: ThreadKey) => boolean;
  /** From here on nothing of it reaches a store, a thread, a model or a tool. */
  readonly dies: () => void;
  /** It is told to stop, and lets go of what it does at the next safe point. */
  readonly stops: () => void;
}

/** What all processes share, and what a test changes of it. */
export type Around = Omit<
  Borders,
  'work' | 'views' | 'entryId' | 'elapsed' | 'timers' | 'clock' | 'appended' | 'failFast'
>;

export async function startProcess(name: string, around: Around): Promise<BotProcess> {
  const { config, log } = around;
  const life = { alive: true };
  const store: Store = unlessDead(around.store, life);
  const step: AtStep = (what) => (life.alive ? around.step(what) : new Promise<void>(() => {}));
  let entries = 0;
  const kick = (thread: ThreadKey, inMs = 0): void => {
    if (inMs === 0) void hands.take(thread);
    else setTimeout(() => void hands.take(thread), inMs);
  };
  const core: Core = assemble({
    ...around,
    ...{ store, failFast: store, step },
    surface: unlessDead(around.surface, life),
    model: (...asked) => (life.alive ? around.model(...asked) : new Promise(() => {})),
    work: { kick, hold: (thread) => hands.hold(thread) },
    views: offers,
    appended: () => {},
    entryId: () => `${name}-${++entries}`,
    elapsed: () => performance.now(),
    clock: { now: () => Date.now() },
    timers: {
      after: (delayMs, fire) => {
        const timer = setTimeout(fire, delayMs);
        return () => clearTimeout(timer);
      },
    },
  });
  const { runs } = core;
  const hands = createClaims({
    ...{ store, log, by: name, isAlone: store.isExclusive, isSteady: () => true },
    ...{ advance: runs.advance, rest: runs.rest, setAside: runs.setAside },
    onTrouble: (error) => log.warn('Trouble.', { error }),
  });
  const onThreads = (threads: readonly ThreadKey[]) => threads.forEach((thread) => void hands.take(thread));
  const sweep = createSweep({ store, log, onDue: core.onDue, claimMs: 0, onThreads, beat: hands.beat });
  await store.watch({
    onHint: (hint) => void (life.alive && runs.onHint(hint)),
    onGap: () => void (life.alive && runs.onGap()),
  });
  return {
    core,
    holds: (thread) => hands.has(thread),
    looksAround: async () => {
      if (!life.alive) return;
      runs.onGap();
      runs.parkWaiting(config.times.hotMs);
      hands.beat();
      const limit = LIMITS.claimsPerSweep;
      for (const item of await store.claimDue({ limit, leaseMs: LIMITS.leaseMs })) await core.onDue(item);
      for (const thread of await store.claimTodo({ limit, leaseMs: store.isExclusive ? LIMITS.leaseMs : 0 }))
        void hands.take(thread);
    },
    sweeps: sweep.start,
    dies: () => {
      life.alive = false;
    },
    stops: () => {
      sweep.stop();
      runs.parkAll();
      void hands.close(LIMITS.shutdownMs);
    },
  };
}

/** The same, until its process dies: then no call of it is heard, and none is answered. */
function unlessDead<Border extends object>(border: Border, life: { readonly alive: boolean }): Border {
  return new Proxy(border, {
    get: (of, name): unknown => {
      const found: unknown = Reflect.get(of, name);
      return typeof found === 'function' && !life.alive ? () => new Promise(() => {}) : found;
    },
  });
}
