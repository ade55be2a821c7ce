import type { Message } from '../../../interventions/index.ts';
import type { LoopFact, RecordFact } from '../../agent/index.ts';
import { CapReachedError, type RunCaps } from '../../authority/index.ts';
import type { Log } from '../../log.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { AtStep } from '../../step.ts';
import type { Hold } from '../story/hold.ts';
import type { ShownMessages } from '../story/shown-messages.ts';
import { TakenOverError } from '../story/taken-over.ts';
import { type Posts, payPosts } from '../telling/posts.ts';
import { textOf } from '../telling/transcript.ts';
import type { Writing } from '../telling/writing.ts';
import { recordFacts } from './facts.ts';
import { known } from './known.ts';

export interface RecordingDeps {
  readonly posts: Posts;
  readonly shownMessages: ShownMessages;
  readonly hold: Pick<Hold, 'stopped' | 'atSafePoint'>;
  readonly writing: Pick<Writing, 'turnEnds' | 'told'>;
  readonly caps: Pick<RunCaps, 'afterTurn'>;
  readonly step: AtStep;
  readonly log: Log;
}

/** What the loop tells of a run, written down; and what follows from it before the loop goes on. */
export interface Recording {
  readonly record: RecordFact;
  /** It is in the journal already, so it is not news when the loop tells of it. */
  readonly knows: (message: Message) => void;
  /** Whoever has lost the run has nothing more to say in it: not even the result of a tool that ended too late. */
  readonly loses: (why: string, cause?: Error) => TakenOverError;
  /** A cap was reached in the middle of a call: nothing more is told to the model. */
  readonly ends: (reached: CapReachedError) => CapReachedError;
  /** What the agent said last: on a card it stands as its own words. */
  readonly said: () => string;
}

export function createRecording(deps: RecordingDeps, journal: RunJournal, saidBefore: string): Recording {
  const { posts, hold, writing, caps, step, log } = deps;
  const write = recordFacts(journal, deps.shownMessages);
  const written = new WeakSet<Message>();
  let lost: TakenOverError | CapReachedError | undefined;
  let said = saidBefore;

  const record: RecordFact = async (fact) => {
    // The journal says that the run was stopped; how the loop tidies up its own memory is of no interest.
    if (hold.stopped.aborted || (fact.type === 'message' && written.has(fact.message))) return;
    if (lost !== undefined) throw lost;
    await write(fact);
    if (fact.type === 'turn') await afterTurn(fact);
    safePoint();
  };

  async function afterTurn(fact: Turn): Promise<void> {
    await step('turn-answered');
    said = textOf(fact.answer.message);
    if (said !== '') await tell();
    await keepWithinCaps(fact);
  }

  /** Told before anything is asked, and again later if Slack will not have it now. */
  async function tell(): Promise<void> {
    await writing.turnEnds();
    await payPosts(journal, posts).catch((error: unknown) => {
      if (error instanceof TakenOverError) throw error;
      log.warn('The thread could not be told yet.', { run: journal.run, error });
    });
    writing.told();
  }

  /** An answer that asks for nothing more ends the run anyway. */
  async function keepWithinCaps({ answer }: Turn): Promise<void> {
    if (answer.message.content.every(({ type }) => type !== 'toolUse')) return;
    const words = await caps.afterTurn(known(journal));
    if (words !== undefined) throw new CapReachedError(words);
  }

  /** A process that is told to stop leaves here; a run that has only its end before it gets there. */
  function safePoint(): void {
    const latest = journal.state()?.said.at(-1);
    if (latest?.type !== 'turn' || !latest.last) hold.atSafePoint();
  }

  return {
    record,
    knows: (message) => void written.add(message),
    loses: (why, cause) => {
      const taken = new TakenOverError(why, cause);
      lost = taken;
      return taken;
    },
    ends: (reached) => {
      lost = reached;
      return reached;
    },
    said: () => said,
  };
}

type Turn = Extract<LoopFact, { readonly type: 'turn' }>;
