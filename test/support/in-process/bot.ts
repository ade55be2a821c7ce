import { vi } from 'vitest';
import type { createApprovals } from '../../../app/approvals/index.ts';
import { type Entry, EntryBody } from '../../../app/journal/facts/entries.ts';
import { readLine } from '../../../app/journal/line/line.ts';
import { LIMITS } from '../../../app/limits.ts';
import {
  type Approval,
  type DoubtChoice,
  type Thread,
  threadKey,
  UserId,
  type Verdict,
} from '../../../app/records/index.ts';
import type { Step } from '../../../app/step.ts';
import type { Store } from '../../../app/store/index.ts';
import type { Tool } from '../../../app/tools/index.ts';
import { trustedLine } from '../../../handlers/views/reply/trusted-line.ts';
import { BOT, OPS, TEAM } from '../../../sandbox/people.ts';
import type { ModelStore } from '../model-store.ts';
import type { ScriptedModel } from './model.ts';
import { type Around, type BotProcess, startProcess } from './process.ts';
import type { RecordedThread } from './thread.ts';

/** What a deployment configures, and what else lies around its processes. */
export interface Wishes extends Readonly<Record<string, unknown>> {
  readonly tools: readonly Tool[];
  readonly people?: Partial<Around['people']>;
  /** Other processes may use the same store. */
  readonly shared?: boolean;
  /** What stands between a process and the store in memory. */
  readonly around?: (store: Store) => Store;
  /** What else lies around the parts that decide. */
  readonly changes?: Partial<Around>;
}

export interface Stage {
  readonly wishes: Wishes;
  readonly deploy: (wishes: Wishes) => Around;
  readonly facts: ModelStore;
  readonly model: ScriptedModel;
  readonly thread: RecordedThread;
  readonly ran: string[];
  readonly logged: string[];
  readonly hooks: Map<Step, () => unknown>;
}

export const THREAD: Thread = { team: TEAM, channel: OPS, ts: '1700000000.000001' };
/** When each story begins. */
export const BEGIN_MS = 1_700_000_000_000;
const settled = setImmediate;
const STEP_MS = 25;

type Press = Parameters<ReturnType<typeof createApprovals>['decide']>[0];

/** One bot in one thread, and the people in it. Each action resolves when everything that follows from it is done. */
export class Bot {
  readonly model: ScriptedModel;
  readonly thread: RecordedThread;
  readonly store: ModelStore;
  readonly logged: readonly string[];
  readonly #stage: Stage;
  #started = 0;
  #process: BotProcess;
  #written = 0;

  constructor(stage: Stage, process: BotProcess) {
    this.#stage = stage;
    this.#process = process;
    this.model = stage.model;
    this.thread = stage.thread;
    this.store = stage.facts;
    this.logged = stage.logged;
  }

  get core(): BotProcess['core'] {
    return this.#process.core;
  }

  /** A person writes in the thread. */
  async mention(user: string, text: string): Promise<void> {
    this.#written += 1;
    const ts = this.#written === 1 ? THREAD.ts : `1700000000.${`${this.#written}`.padStart(6, '0')}`;
    await this.core.runs.take({ thread: THREAD, user: UserId.parse(user), userTeam: TEAM, ts, text });
    await this.settles();
  }

  async stop(user: string): Promise<'stopped' | 'nothing-runs'> {
    const stopped = await this.core.runs.stop(THREAD, UserId.parse(user));
    await this.settles();
    return stopped;
  }

  standing(): ReturnType<BotProcess['core']['runs']['standing']> {
    return this.core.runs.standing(THREAD);
  }

  /** A press on a card of the thread, a guarded call confirmed at once, with the name of what came of it. */
  async press(user: string, approval: Approval, verdict: Verdict, more: Partial<Press> = {}): Promise<string> {
    const { id, card, effect, digest } = approval;
    if (card === undefined) throw new Error(`The approval ${id} has no card.`);
    const by = { user: UserId.parse(user), team: TEAM };
    const confirms = effect === 'guarded' && verdict === 'approve' ? { confirms: digest } : {};
    const press: Press = { approval: id, verdict, by, from: { type: 'card', card }, ...confirms, ...more };
    const result = await this.core.approvals.decide(press);
    const edit = result.type === 'unconfirmed' && more.confirms === undefined ? result.edit : undefined;
    const { type } =
      edit === undefined ? result : await this.core.approvals.decide({ ...press, confirms: edit.digest });
    await this.settles();
    return type;
  }

  /** A person says what became of the call of the newest doubt. */
  async tells(user: string, choice: DoubtChoice): Promise<string> {
    const doubt = this.thread.doubts().at(-1);
    if (doubt?.card === undefined) throw new Error('Nothing in the thread asks what became of a call.');
    const by = { user: UserId.parse(user), team: TEAM };
    const { type } = await this.core.questions.doubt.answer(doubt.id, { how: choice }, { by, card: doubt.card });
    await this.settles();
    return type;
  }

  /** Time passes in one leap, and the process looks around once. */
  async passes(ms: number): Promise<void> {
    vi.advanceTimersByTime(ms);
    await this.settles();
    await this.#process.looksAround();
    await this.settles();
  }

  /** The newest process sweeps by itself from here on; time that passes in steps of `waits` is what makes it. */
  async sweeps(): Promise<void> {
    this.#process.sweeps();
    await this.settles();
  }

  /** Time passes in short steps, and only the timers of the processes do anything. */
  async waits(ms: number): Promise<void> {
    for (let leftMs = ms; leftMs > 0; leftMs -= STEP_MS) {
      vi.advanceTimersByTime(Math.min(leftMs, STEP_MS));
      await this.settles();
    }
  }

  /** What is under way and needs no time comes to its end. */
  async settles(): Promise<void> {
    for (let round = 0; round < 12; round += 1) await new Promise((resolve) => settled(resolve));
  }

  /** Does this whenever a process comes to this step. A promise holds the process there. */
  at(step: Step, what: () => unknown): void {
    this.#stage.hooks.set(step, what);
  }

  /** The process dies when it comes to this step. */
  diesAt(step: Step): void {
    this.at(step, () => {
      this.#stage.hooks.delete(step);
      this.dies();
      return new Promise(() => {});
    });
  }

  /** Nothing of the process gets to say goodbye. */
  dies(): void {
    this.#process.dies();
  }

  /** The process is told to stop, and has what time it needs. */
  async leaves(): Promise<void> {
    this.#process.stops();
    await this.settles();
  }

  /**
   * One more process takes all presses and messages from here on, with what the deployment has changed. The one before it
   * lives on unless it died.
   */
  async starts(changes: Partial<Wishes> = {}): Promise<void> {
    const { wishes, deploy } = this.#stage;
    this.#started += 1;
    this.#process = await startProcess(`another-${this.#started}`, deploy({ ...wishes, ...changes }));
    await this.settles();
    await this.#process.looksAround();
    await this.settles();
  }

  /** The process is gone, and another one goes on once the lease of the first is over. */
  async restarts(changes: Partial<Wishes> = {}): Promise<void> {
    this.dies();
    await this.starts(changes);
    await this.passes(LIMITS.leaseMs);
  }

  /** The newest card that waits for an answer. */
  card(): Approval {
    const card = this.thread.cards().findLast(({ status }) => status === 'pending');
    if (card === undefined) throw new Error('No card in the thread waits for an answer.');
    return card;
  }

  /** How each card stands, oldest first. */
  cards(): readonly string[] {
    return this.thread.cards().map(({ tool, status }) => `${tool} ${status}`);
  }

  posts(): readonly string[] {
    return this.thread.posts().map(({ text, trusted }) => (trusted === undefined ? text : trustedLine(trusted).text));
  }

  /** What tools were begun with, oldest first. */
  ran(): readonly string[] {
    return [...this.#stage.ran];
  }

  /** Does the process hold the run of the thread in memory? */
  holds(): boolean {
    return this.#process.holds(threadKey(THREAD));
  }

  /** The entries of all runs, oldest first. */
  async entries(): Promise<readonly Entry[]> {
    const runs = await this.store.journals('run');
    const pages = await Promise.all(runs.map((run) => this.store.read(run)));
    return pages.flatMap(({ entries }) => entries.map(({ text }): Entry => readLine(EntryBody, text).entry));
  }

  /** The kinds of all entries, oldest first. */
  async journal(): Promise<readonly string[]> {
    return (await this.entries()).map(({ type }) => type);
  }

  /** Who wrote what and when, and what stands in the thread. */
  async story(): Promise<string> {
    const lines = (await this.entries()).map(({ id, atMs, type, ...more }) => {
      const seconds = `${((atMs - BEGIN_MS) / 1_000).toFixed(1)} s`;
      return `  ${seconds.padStart(9)}  ${id.padEnd(10)} ${type} ${JSON.stringify(more)}`.slice(0, 260);
    });
    const posts = this.posts().map((text) => `  ${BOT}: ${text}`);
    const cards = this.cards().map((card) => `  card: ${card}`);
    return ['The journal:', ...lines, 'The thread:', ...posts, ...cards, 'The log:', ...this.logged].join('\n');
  }
}
