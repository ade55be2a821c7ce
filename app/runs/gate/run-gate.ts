import type { Handler } from '../../../interventions/index.ts';
import type { TrustAtWork } from '../../authority/index.ts';
import { callNow } from '../../journal/index.ts';
import type { Cards } from '../../questions/index.ts';
import { type RunJournal, SetBackError } from '../../recorder/index.ts';
import type { RunId } from '../../records/index.ts';
import { type AskingDeps, askPeople, type CallAnswer, type CallQuestion } from '../asking/asking.ts';
import { createListing, type Listing } from '../asking/listing.ts';
import type { Waits } from '../asking/waits.ts';
import type { Posts } from '../telling/posts.ts';
import type { ToolLog } from '../telling/tool-log.ts';
import { WORDS } from '../telling/words.ts';
import { type DescribingDeps, describeCall } from './describing.ts';
import { createGate, type GateDeps } from './gate.ts';
import { known } from './known.ts';
import type { Recording } from './recording.ts';

export interface RunGateDeps extends Omit<DescribingDeps, 'run' | 'toolLog'> {
  readonly journalOf: (run: RunId) => RunJournal;
  readonly trust: TrustAtWork;
  readonly afterDenialMs: number;
  readonly cards: Cards;
  readonly asking: Omit<AskingDeps, 'describe' | 'listing'>;
}

/** What the gate needs of its run. */
export interface GatedRun extends Pick<GateDeps, 'journal' | 'caps' | 'capReached' | 'traced'> {
  readonly posts: Posts;
  readonly waits: Waits;
  readonly recording: Pick<Recording, 'said' | 'loses'>;
  readonly toolLog: ToolLog;
}

/** The gate of one run. It asks in the thread of the run and waits for the answer together with the run. */
export function createRunGate(deps: RunGateDeps, run: GatedRun): readonly Handler[] {
  const { journal, waits } = run;
  const listing = createListing(deps.asking, journal);
  return createGate({
    ...deps,
    ...run,
    denied: {
      stateOf: (id) => deps.journalOf(id).refreshUnlessOver(),
      afterDenialMs: deps.afterDenialMs,
      now: journal.nowMs,
    },
    ask: (question) => waits(() => ask(deps, { ...run, listing }, question)),
  });
}

interface Asking extends Pick<GatedRun, 'journal' | 'posts' | 'recording' | 'toolLog'> {
  readonly listing: Listing;
}

async function ask(
  deps: RunGateDeps,
  { journal, posts, recording, toolLog, listing }: Asking,
  question: CallQuestion,
): Promise<CallAnswer> {
  const asking: AskingDeps = {
    ...deps.asking,
    listing,
    describe: async (call, wish) => {
      const about = { ...deps, toolLog, run: known(journal) };
      const described = await describeCall(about, call, { ...wish, said: recording.said() });
      if (described.type === 'unasked' && described.toThread !== undefined) {
        await posts.mention(`nobody/${callNow(known(journal), call.toolUseId)}`, { text: described.toThread });
      }
      return described;
    },
  };
  // The store may have been set back while people were asked. This process then lets go of the run.
  const answer = await askPeople(asking, journal, question).catch((error: unknown) => {
    if (error instanceof SetBackError) throw recording.loses('the store was set back');
    throw error;
  });
  if (answer.decision === 'cancelled' && answer.unseen) {
    const { toolUseId, name } = question.toolUse;
    await posts.mention(`unseen/${toolUseId}`, { text: WORDS.cardNotPosted(name) });
  }
  return answer;
}
