import type { TrustEntryBody } from '../../app/journal/facts/trusts.ts';
import type { DoubtChoice, Verdict } from '../../app/records/index.ts';
import { grantId, HOUR_MS, started, THREAD, turn, user } from '../support/journal.ts';
import type { Core } from './core.ts';
import type { Journal, Library } from './journal.ts';

/** The actors of a scenario, and how often the world may disturb them. */
export interface Scenario {
  /** Calls of the one turn, by the model's ids. */
  readonly calls: readonly string[];
  readonly replicas: number;
  readonly pressers: readonly Pressing[];
  /** How many different people must say yes. Default: one. */
  readonly quorum?: number;
  readonly stops: number;
  /** People who report the outcome of a lost call. */
  readonly choosers?: readonly { readonly choice: DoubtChoice; readonly mayDecide: boolean }[];
  /** A trust covers the calls; a person may end it so many times. */
  readonly trust?: { readonly revokes: number };
  /** The gate above the last gate fails open, so a replica may go on without an answer. */
  readonly careless?: true;
  readonly may: Disturbances;
}

interface Pressing {
  readonly verdict: Verdict;
  readonly mayDecide: boolean;
  /** One person who presses more than once. */
  readonly person?: string;
  /** The first yes is of a person who has lost the right by the time of this press. */
  readonly firstIsLost?: true;
}

/** How often each may still happen. */
export interface Disturbances {
  readonly crash: number;
  /** An append is written and its reply is lost, so it is sent again. */
  readonly loseReply: number;
  /** The input of a call changes after people were asked about it. */
  readonly swapInput: number;
  /** The time of every approval asked so far is over. */
  readonly passTime: number;
}

/** Everything there is at one moment. Never changed in place. */
export interface World {
  readonly journal: Journal;
  readonly nowMs: number;
  readonly left: Disturbances;
  /** What the tools did: their own witness, independent of the journal. */
  readonly ran: readonly { readonly call: string; readonly digest: string; readonly attempt: string }[];
  readonly actors: readonly Actor[];
  /** The journal of the standing yes, where there is one. */
  readonly grant?: readonly TrustEntryBody[];
}

export type Actor = Replica | Presser | Chooser | Revoker | Sweeper | Stopper;

interface Someone {
  readonly name: string;
  /** The journal as it last read or wrote it. */
  readonly known: Journal;
  /** The actor waits for the answer to an append, and goes on with `next`. */
  readonly sent?: Sent;
}

export interface Sent {
  readonly expectedVersion: number;
  readonly ids: readonly string[];
  readonly written: Journal;
  readonly next: Actor;
}

export interface Replica extends Someone {
  readonly type: 'replica';
  /** How often the replica has crashed. The new process does not know what the old one had begun. */
  readonly life: number;
  /** `leaving`: the replica begins nothing more, and waits for its running tools. */
  readonly phase: 'reading' | 'reporting' | 'working' | 'leaving' | 'gone';
  readonly digest: 'shown' | 'swapped';
  readonly calls: readonly CallInHand[];
}

export interface CallInHand {
  readonly call: string;
  readonly stage: 'doubt' | 'in-doubt' | 'ask' | 'trust' | 'wait' | 'start' | 'run' | 'finish' | 'tell' | 'done';
  readonly approval?: string;
  /** The input that the tool got at its start. It cannot change later. */
  readonly digest?: string;
  /** The call starts on a trust. */
  readonly trusted?: true;
}

export interface Chooser extends Someone {
  readonly type: 'chooser';
  readonly choice: DoubtChoice;
  readonly mayDecide: boolean;
  readonly stage: 'looking' | 'choosing' | 'done';
  readonly doubt?: string;
}

export interface Revoker extends Someone {
  readonly type: 'revoker';
  readonly stage: 'waiting' | 'done';
}

export interface Presser extends Someone, Pressing {
  readonly type: 'presser';
  readonly stage: 'looking' | 'pressing' | 'late' | 'done';
  readonly approval?: string;
}

export interface Sweeper extends Someone {
  readonly type: 'sweeper';
  readonly stage: 'looking' | 'expiring';
  readonly approval?: string;
}

export interface Stopper extends Someone {
  readonly type: 'stopper';
  readonly stage: 'reading' | 'stopping' | 'done';
}

/** One thing that may happen next. */
export interface Step {
  readonly name: string;
  readonly world: World;
  /** This step only reads what is new. It does not depend on what the actor knew before. */
  readonly rereads?: true;
  /** Faults seen during the step: a tool began that must not run. */
  readonly broken?: string;
}

export interface Stage {
  readonly core: Core;
  readonly library: Library;
  readonly scenario: Scenario;
}

export const LIFETIME_MS = 10;

export const keyOf = (id: string): string => `1/${id}`;

/** A run whose model has just asked for its calls. */
export function beginning({ library, scenario }: Stage): World {
  const { calls, replicas, pressers, stops, may, choosers = [], trust } = scenario;
  const known = library.beginning([started, turn(1, ...calls)]);
  const each = <Made>(count: number, make: (index: number) => Made): Made[] =>
    Array.from({ length: count }, (_, index) => make(index));
  return {
    journal: known,
    nowMs: 0,
    left: may,
    ran: [],
    ...(trust === undefined ? {} : { grant: [GIVEN] }),
    actors: [
      ...each(replicas, (index) => newReplica(`R${index}`, 0, known)),
      ...pressers.map(
        (presser, index): Presser => ({ type: 'presser', name: `P${index}`, known, stage: 'looking', ...presser }),
      ),
      ...choosers.map(
        (chooser, index): Chooser => ({ type: 'chooser', name: `C${index}`, known, stage: 'looking', ...chooser }),
      ),
      ...each(
        trust?.revokes ?? 0,
        (index): Revoker => ({ type: 'revoker', name: `V${index}`, known, stage: 'waiting' }),
      ),
      { type: 'sweeper', name: 'clock', known, stage: 'looking' },
      ...each(stops, (index): Stopper => ({ type: 'stopper', name: `S${index}`, known, stage: 'reading' })),
    ],
  };
}

const GIVEN: TrustEntryBody = {
  type: 'grant-given',
  grant: grantId(),
  team: THREAD.team,
  tool: 'deploy',
  definition: 'v1',
  policy: 'p1',
  offer: { line: 'deploy, any input', match: 'any', scope: 'thread', forMs: HOUR_MS },
  thread: THREAD,
  requester: user('ANN'),
  by: user('ANN'),
  untilMs: HOUR_MS,
};

export function newReplica(name: string, life: number, known: Journal): Replica {
  return { type: 'replica', name, life, known, phase: 'reading', digest: 'shown', calls: [] };
}

export function withActor(world: World, index: number, actor: Actor, changes: Partial<World> = {}): World {
  return { ...world, ...changes, actors: world.actors.with(index, actor) };
}

/** Worlds with the same name have the same next steps. */
export function nameOf(world: World, nameOfActor: (world: World, index: number) => string): string {
  const { journal, nowMs, left, ran, actors, grant = [] } = world;
  const done = ran.map(({ call, digest, attempt }) => `${call}${digest}${attempt}`).join();
  const others = actors.map((_, index) => nameOfActor(world, index)).join(' ');
  return `${journal.number} ${nowMs} ${left.crash}${left.loseReply}${left.swapInput}${left.passTime} ${done} ${others} ${grant.map((entry) => (entry.type === 'grant-used' ? entry.call : entry.type)).join()}`;
}

/** The knowledge of an actor counts only while the actor will use it. */
export function nameOfActor(actor: Actor, known: number | 'stale' = actor.known.number): string {
  const { sent } = actor;
  const waits = sent === undefined ? '' : `!${sent.expectedVersion}${nameOfActor(sent.next)}`;
  switch (actor.type) {
    case 'replica': {
      if (actor.phase === 'gone') return 'gone';
      if (actor.phase === 'reading') return `reading${actor.life}${actor.digest}${waits}`;
      const calls = actor.calls
        .map(
          ({ call, stage, approval = '', digest = '', trusted }) =>
            `${call}${stage}${approval.slice(-8)}${digest}${trusted ?? ''}`,
        )
        .join();
      return `${known}${actor.phase}${actor.life}${actor.digest}${calls}${waits}`;
    }
    case 'presser':
      if (actor.stage === 'looking' || actor.stage === 'done') return `${actor.stage}${waits}`;
      return `${known}${actor.stage}${actor.approval?.slice(-8) ?? ''}${waits}`;
    case 'chooser':
      if (actor.stage === 'looking' || actor.stage === 'done') return `${actor.stage}${waits}`;
      return `${known}${actor.stage}${actor.doubt?.slice(-8) ?? ''}${waits}`;
    case 'revoker':
      return actor.stage;
    case 'sweeper':
      return actor.stage === 'looking' ? `looking${waits}` : `${known}${actor.approval?.slice(-8) ?? ''}${waits}`;
    case 'stopper':
      return actor.stage === 'stopping' ? `${known}${waits}` : `${actor.stage}${waits}`;
  }
}
