import { assemble, type Core } from '../../app/assembly/index.ts';
import type { Borders } from '../../app/borders.ts';
import { systemClock as clock } from '../../app/clock.ts';
import { type Config, loadConfigFile } from '../../app/config/index.ts';
import { createLifecycle } from '../../app/lifecycle.ts';
import { type Log, silentLog } from '../../app/log.ts';
import type { Thread } from '../../app/records/index.ts';
import { createRedaction } from '../../app/secrets/index.ts';
import { newEntryId, openStore } from '../../app/store/index.ts';
import { systemTimers as timers } from '../../app/time/index.ts';
import { toolTable } from '../../app/tools/index.ts';
import { openWork, type Work } from '../../app/work/index.ts';
import { offers } from '../../handlers/views/index.ts';
import { CONFIGURATION } from '../deployment/place.ts';
import { countStore, type Tally } from './counted-store.ts';
import { DONE, instantModel } from './model.ts';
import { createPerson, type Person } from './person.ts';
import { instantSurface } from './surface.ts';

/** The real parts of one process on a real store. Only Slack, the model and the people around them are instant. */
export interface DurableBot {
  readonly tally: Tally;
  /** The input of each call that ran. */
  readonly ran: readonly unknown[];
  /** What each card named that stood in a thread. */
  readonly asked: Person['asked'];
  /** When the model was asked each time, in milliseconds. */
  readonly modelAsked: readonly number[];
  /** From a person's message over this many calls, each with a yes, to the reply. Resolves when nothing is left to do. */
  readonly turn: (thread: Thread, calls: number) => Promise<void>;
  /** The same up to the first card, which gets no answer. */
  readonly waits: (thread: Thread) => Promise<void>;
  readonly approvals: Core['approvals'];
  readonly close: () => Promise<void>;
}

export interface StorePlace {
  readonly dataDir: string;
  readonly redisUrl?: string | undefined;
}

export interface BotOptions {
  readonly log?: Log;
  readonly step?: Borders['step'];
  /** It only decides: another process advances the threads. */
  readonly onlyDecides?: boolean;
}

export async function startDurableBot(
  { dataDir, redisUrl }: StorePlace,
  { log = silentLog, step = () => {}, onlyDecides = false }: BotOptions = {},
): Promise<DurableBot> {
  const config = await loadConfigFile(CONFIGURATION, { cwd: dataDir, now: clock.now, reach: REACHES_NOTHING });
  const opened = await openStore({ redisUrl, dataDir, durability: config.durability, clock, log });
  const counted = countStore(opened);
  const { store: failFast, tally, quiet } = counted;
  const store = counted.alsoCount(opened.patient);
  const person = createPerson(quiet);
  const ran: unknown[] = [];
  const modelAsked: number[] = [];
  const core: Core = assemble({
    ...{ config, store, failFast, log, step, ...AROUND },
    surface: seenBy(person, () => core),
    model: (...asked) => {
      modelAsked.push(performance.now());
      return instantModel(...asked);
    },
    tools: toolTable(recording(config.tools, ran)),
    work: onlyDecides
      ? { kick: () => {}, hold: async () => false }
      : { kick: (...about) => work.kick(...about), hold: (thread) => work.hold(thread) },
    redaction: createRedaction({ settings: config.redact, key: new Uint8Array(32) }),
  });
  const { runs, onDue } = core;
  const advancing = { advance: runs.advance, rest: runs.rest, setAside: runs.setAside };
  const work: Work = await openWork({ redisUrl, store, by: 'bench', ...advancing, onDue, log });
  const { hotMs } = config.times;
  const parts = { store: failFast, tools: NO_PART, door: NO_PART, runs, work, lookAtApprovers: async () => {} };
  const { start, stop } = createLifecycle({ ...parts, hotMs, log });
  if (!onlyDecides) await start();
  return {
    tally,
    ran,
    asked: person.asked,
    modelAsked,
    turn: (thread, calls) => person.turn(core, thread, calls).then(quiet),
    approvals: core.approvals,
    waits: (thread) => person.waits(core, thread).then(quiet),
    close: stop,
  };
}

function seenBy(person: Person, core: () => Core): Borders['surface'] {
  return instantSurface({
    onCard: ({ kind, asks }, card) => {
      if (kind === 'approval') void person.seesCard(core(), { ...asks, card });
    },
    onPost: (thread, { text }) => {
      if (text === DONE) person.seesAnswer(thread);
    },
  });
}

/** The same tools. What each call runs with is added to `ran`. */
function recording(tools: Config['tools'], ran: unknown[]): Config['tools'] {
  return tools.map((tool) => ({
    ...tool,
    run: (input, help) => {
      ran.push(input);
      return tool.run(input, help);
    },
  }));
}

/** No tool of the measured deployment reaches into Slack. */
const nowhere = async (): Promise<never> => {
  throw new Error('A measured turn has no Slack to reach. Measure a tool that needs none.');
};
const REACHES_NOTHING = {
  readThread: nowhere,
  readChannel: nowhere,
  findPerson: nowhere,
  post: nowhere,
  upload: nowhere,
};

/** What is the same in each of these processes. */
const AROUND = {
  people: {
    account: async () => 'person',
    isInGroup: async () => false,
    isAdmin: async () => false,
    isInChannel: async () => true,
    members: async () => undefined,
  },
  toolServers: [],
  schemaProblem: async () => undefined,
  views: offers,
  appended: () => {},
  entryId: newEntryId,
  clock,
  elapsed: () => performance.now(),
  timers,
} satisfies Partial<Borders>;

/** Takes the place of the tools and the door, which begin and end nothing here. */
const NO_PART = { start: async () => {}, stop: async () => {}, drain: async () => {}, close: async () => {} };
