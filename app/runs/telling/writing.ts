import type { Timers, ToolUseBlock } from '../../../interventions/index.ts';
import type { LoopView } from '../../agent/index.ts';
import type { EntryBody, RunState } from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Log } from '../../log.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { CardReceipt } from '../../records/index.ts';
import type { AtStep } from '../../step.ts';
import { type GrowingCall, ifNotRefused, type Surface } from '../../surface.ts';

/**
 * Lets people read along while the agent works. A view: it never fails a run, and what is told for good is told by
 * `say`, which turns what stands here into a post. That something is about to be shown is written first, and where it
 * stands right after, so that nothing half is left in a thread by a process that died.
 */
export interface Writing {
  readonly show: (view: LoopView) => void;
  /** What was written so far belongs to no answer: the model is asked again. */
  readonly takeBack: () => void;
  /** People are asked now, and nothing is to be written under their card. Call what it returns when they answered. */
  readonly rest: () => Promise<() => void>;
  /** The turn is over: from here on, nothing more is shown of it. Its text is told by `say`. */
  readonly turnEnds: () => Promise<void>;
  /** It was told. */
  readonly told: () => void;
  /** Nobody writes any more. */
  readonly end: () => Promise<void>;
}

export interface WritingDeps {
  readonly surface: Pick<Surface, 'beginReply' | 'growReply' | 'dropReply'>;
  readonly timers: Timers;
  /** One human sentence of what a call does. */
  readonly summarise: (call: ToolUseBlock) => string;
  /** The process that writes. */
  readonly by: string;
  readonly log: Log;
  readonly step: AtStep;
}

export function createWriting(deps: WritingDeps, journal: RunJournal): Writing {
  const { surface, timers, summarise, by, log, step } = deps;
  let text = '';
  let calls: ReadonlyMap<string, GrowingCall> = new Map();
  let card: CardReceipt | undefined;
  let resting = 0;
  let ended = false;
  /** It cannot be shown now; the next turn may try again. */
  let given = false;
  let stopTimer: (() => void) | undefined;
  /** Opening and taking back happen one after the other. */
  let line: Promise<void> = Promise.resolve();

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    line = line.then(work).catch((error: unknown) => {
      given = true;
      log.info('People cannot read along just now; they are told when it is whole.', { run: journal.run, error });
    });
    return line;
  };

  const idle = () => resting > 0 || ended || given || (text === '' && calls.size === 0);

  const open = async (): Promise<void> => {
    const state = journal.state();
    if (idle() || card !== undefined || state === undefined) return;
    const beganMs = journal.nowMs();
    if (!(await begin(journal, state, by))) return;
    await step('reply-begun');
    // Another process, if there is any, may have looked for it by now, and found nothing to take back.
    const stoodStill = journal.nowMs() - beganMs >= LIMITS.postPatienceMs / 2;
    const opened = stoodStill ? undefined : await surface.beginReply(state.thread, state.requester);
    if (opened === undefined) {
      given = true;
      return void (await write(journal, { type: 'reply-dropped' }, { by }));
    }
    await step('reply-opened');
    if (!(await write(journal, { type: 'reply-begun', card: opened, by }, { by }))) {
      // Whoever went on without this process has found nothing to take back, as it did not stand there then.
      given = true;
      return surface.dropReply(state.thread, opened);
    }
    await step('reply-placed');
    card = opened;
    grow();
  };

  const grow = (): void => {
    const thread = journal.state()?.thread;
    if (idle() || thread === undefined) return;
    if (card !== undefined) {
      void surface.growReply(card, { text, calls: [...calls.values()] }, thread).then(() => step('reply-grown'));
      return;
    }
    stopTimer ??= timers.after(LIMITS.readAlongAfterMs, () => {
      stopTimer = undefined;
      void inTurn(open);
    });
  };

  const disarm = (): void => {
    stopTimer?.();
    stopTimer = undefined;
  };

  const drop = (): Promise<void> => {
    disarm();
    return inTurn(async () => {
      card = undefined;
      await dropWriting(surface, journal);
    });
  };

  return {
    show: (view) => {
      switch (view.type) {
        case 'text':
          text += view.text;
          return grow();
        case 'discarded':
          text = '';
          return void (card === undefined ? undefined : drop().then(grow));
        case 'toolCallBegins': {
          const { toolUseId: id, name: tool } = view.toolUse;
          calls = new Map([...calls, [id, { id, tool, summary: summarise(view.toolUse), status: 'running' }]]);
          return grow();
        }
        case 'toolCallEnds': {
          const call = calls.get(view.toolUse.toolUseId);
          if (call === undefined) return;
          calls = new Map([
            ...calls,
            [call.id, { ...call, status: view.result.status === 'error' ? 'failed' : 'ran' }],
          ]);
          return grow();
        }
        case 'message':
        case 'waits':
        case 'interrupt':
          return;
      }
    },
    takeBack: () => {
      const shown = text !== '';
      text = '';
      if (shown && card !== undefined) void drop().then(grow);
    },
    rest: async () => {
      resting += 1;
      disarm();
      await line;
      if (card !== undefined) await drop();
      return () => {
        resting -= 1;
        grow();
      };
    },
    turnEnds: async () => {
      disarm();
      await line;
    },
    told: () => {
      text = '';
      calls = new Map();
      card = undefined;
      given = false;
    },
    end: async () => {
      ended = true;
      disarm();
      await line;
    },
  };
}

/** `false` when the run has moved on, or somebody else writes. */
async function begin(journal: RunJournal, before: RunState, by: string): Promise<boolean> {
  const committed = await journal.commit((state, nowMs) => {
    const free = state?.status.type === 'running' && state.turns === before.turns && state.writing === undefined;
    if (!free) return { entries: [], result: false };
    // Later than this, whoever takes over may have looked for it already.
    return { entries: [{ type: 'reply-begun', by }], result: true, notAfterMs: nowMs + LIMITS.postPatienceMs / 2 };
  });
  return committed.type === 'done' && committed.result;
}

/** Takes back what was never finished. Rejects when it may still stand there: it stays owed. */
export async function dropWriting(surface: Pick<Surface, 'dropReply'>, journal: RunJournal): Promise<void> {
  const state = journal.state();
  if (state?.writing === undefined) return;
  await surface.dropReply(state.thread, state.writing.card).catch((error: unknown) => {
    throw ifNotRefused(error);
  });
  await write(journal, { type: 'reply-dropped' }, state.writing);
}

type Written = Extract<EntryBody, { readonly type: 'reply-begun' | 'reply-dropped' }>;

/** Only about the reply that was meant: another process may have begun one of its own meanwhile. `false` when it has. */
async function write(journal: RunJournal, entry: Written, meant: NonNullable<RunState['writing']>): Promise<boolean> {
  const committed = await journal.commit((now) => {
    const same =
      now?.writing?.by === meant.by && now?.writing?.card?.ts === meant.card?.ts && now?.writing !== undefined;
    return { entries: same ? [entry] : [], result: same };
  });
  return committed.type === 'done' && committed.result;
}
