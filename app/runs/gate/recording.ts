import type { Message } from '../../../interventions/index.ts';
import type { LoopFact, RecordFact } from '../../agent/index.ts';
import { CapReachedError, type RunCaps } from '../../authority/index.ts';
import type { Log } from '../../log.ts';
import { type RunJournal, SetBackError } from '../../recorder/index.ts';
import type { AtStep } from '../../step.ts';
import type { Hold } from '../story/hold.ts';
import { TakenOverError } from '../story/taken-over.ts';
import { type Posts, payPosts, turnKey } from '../telling/posts.ts';
import { textOf } from '../telling/transcript.ts';
import { WORDS } from '../telling/words.ts';
import type { Writing } from '../telling/writing.ts';
import { type RecordFactsDeps, recordFacts } from './facts.ts';
import { known } from './known.ts';
import { type UntilWrittenDeps, untilWritten } from './until-written.ts';

export interface RecordingDeps extends Pick<UntilWrittenDeps, 'timers'>, RecordFactsDeps {
  readonly posts: Posts;
  readonly hold: Pick<Hold, 'signal' | 'stopped' | 'isLeaving' | 'atSafePoint'>;
  readonly writing: Pick<Writing, 'turnEnds' | 'told'>;
  readonly caps: Pick<RunCaps, 'afterTurn'>;
  readonly step: AtStep;
  readonly log: Log;
}

/** Writes what the loop tells into the journal, and does what has to follow before the loop goes on. */
export interface Recording {
  readonly record: RecordFact;
  /** Marks a message that is in the journal already: `record` does not write it again. */
  readonly knows: (message: Message) => void;
  /** Marks the run as lost to another process: `record` now throws, even for the result of a tool that ended too late. */
  readonly loses: (why: string, cause?: unknown) => TakenOverError;
  /** Marks that the run ends here for this reason, in the middle of a call: `record` now throws, so the model is told nothing more. */
  readonly ends: <Why extends Error>(why: Why) => Why;
  /** What the agent said last. A card quotes it. */
  readonly said: () => string;
}

export function createRecording(deps: RecordingDeps, journal: RunJournal, saidBefore: string): Recording {
  const { posts, hold, writing, caps, step, log } = deps;
  const write = recordFacts(deps, journal);
  const written = new WeakSet<Message>();
  let lost: Error | undefined;
  let said = saidBefore;

  const record: RecordFact = async (fact) => {
    // The journal already has the stop of the run. What the loop tells while it winds up is not written.
    if (hold.stopped.aborted || (fact.type === 'message' && written.has(fact.message))) return;
    if (lost !== undefined) throw lost;
    await (fact.type === 'turn' ? writeTurn(fact) : write(fact));
    if (fact.type === 'turn') await afterTurn(fact);
    // Lets a process that is told to stop leave the run here.
    hold.atSafePoint();
  };

  /** An answer costs money, and only this process has it: it is written when the store takes it, and not asked for again. */
  function writeTurn(turn: Turn): Promise<void> {
    return untilWritten(
      deps,
      {
        what: 'An answer of the model',
        about: { run: journal.run },
        onRefused: () => posts.shout(WORDS.storeAway),
        isOver: () => hold.signal.aborted || hold.isLeaving(),
      },
      () => write(turn),
    );
  }

  async function afterTurn(fact: Turn): Promise<void> {
    await step('turn-answered');
    said = textOf(fact.answer.message);
    if (said !== '') await tell();
    await keepWithinCaps(fact);
  }

  /** Posts what the agent said before people are asked about its calls. */
  async function tell(): Promise<void> {
    posts.untried(turnKey(known(journal).turns));
    await writing.turnEnds();
    // Slack may be away; the text then stays owed and is posted later. Only a run that another process has taken over
    // ends here.
    await payPosts(journal, posts).catch((error: unknown) => {
      if (error instanceof TakenOverError || error instanceof SetBackError) throw error;
      log.warn('The thread could not be told yet.', { run: journal.run, error });
    });
    writing.told();
  }

  /** Checks the caps only after an answer with tool calls; an answer without them ends the run anyway. */
  async function keepWithinCaps({ answer }: Turn): Promise<void> {
    if (answer.message.content.every(({ type }) => type !== 'toolUse')) return;
    const words = await caps.afterTurn(known(journal));
    if (words !== undefined) throw new CapReachedError(words);
  }

  return {
    record,
    knows: (message) => void written.add(message),
    loses: (why, cause) => {
      const taken = new TakenOverError(why, cause);
      lost = taken;
      return taken;
    },
    ends: (why) => {
      lost = why;
      return why;
    },
    said: () => said,
  };
}

type Turn = Extract<LoopFact, { readonly type: 'turn' }>;
