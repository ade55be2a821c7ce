import { lineKey, type OwedLine, owedLines, type RunState } from '../../journal/index.ts';
import { orOwing, type PaintByOne, type Shown } from '../../questions/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { TrustId } from '../../records/index.ts';
import { type DebtOutcome, type Surface, settledBy } from '../../surface.ts';
import { known } from '../gate/known.ts';
import { type PostingDeps, postOnce } from './post-once.ts';

/**
 * The lines of calls that ran on trust: one for each trust and run, posted like any owed text, and edited with each later
 * call, each outcome, and the end of the trust. What a line shows is in the journal, so the next process pays what a dead one
 * left.
 */
export interface TrustedLines {
  /** Shows what this run owes. Never rejects: what cannot be shown now stays owed. */
  readonly settle: (journal: RunJournal) => Promise<DebtOutcome>;
}

export interface TrustedLinesDeps extends PostingDeps {
  readonly surface: Pick<Surface, 'say' | 'amend' | 'takeBack'>;
  readonly byOne: PaintByOne;
}

export function createTrustedLines(deps: TrustedLinesDeps): TrustedLines {
  /** Lines on their way, one at a time. Only the last of the calls that begin meanwhile is shown. */
  const showing = new Map<string, Promise<DebtOutcome>>();

  const keepUp = async (journal: RunJournal, trust: TrustId): Promise<'paid'> => {
    try {
      for (let owed = find(journal, trust); owed !== undefined; owed = find(journal, trust)) {
        await show(deps, journal, owed);
      }
      return 'paid';
    } finally {
      // No `await` stands between the last look and this line: a call that began in between would be forgotten.
      showing.delete(nameOf(journal, trust));
    }
  };

  const settleOne = (journal: RunJournal, trust: TrustId): Promise<DebtOutcome> => {
    const before = showing.get(nameOf(journal, trust));
    if (before !== undefined) return before;
    const about = { run: journal.run, trust };
    const untold = 'The thread could not be told yet of a call on trust.';
    const now = orOwing(deps.log.warn, untold, about, () => keepUp(journal, trust));
    showing.set(nameOf(journal, trust), now);
    return now;
  };

  return {
    settle: async (journal) => {
      const paid = await Promise.all(owed(journal).map(({ trust }) => settleOne(journal, trust)));
      return settledBy(paid);
    },
  };
}

const nameOf = ({ run }: RunJournal, trust: TrustId): string => `${run}/${trust}`;

const owed = (journal: RunJournal): readonly OwedLine[] => owedLines(known(journal));

const find = (journal: RunJournal, wanted: TrustId) => owed(journal).find(({ trust }) => trust === wanted);

async function show(deps: TrustedLinesDeps, journal: RunJournal, line: OwedLine): Promise<void> {
  const { surface, byOne, step } = deps;
  const { shows, ...trusted } = line;
  const { trust, calls } = trusted;
  const key = lineKey(trust);
  const shown = { type: 'line-shown', grant: trust, calls: calls.length, shows } as const;
  const { thread } = known(journal);
  const post = { key: `${journal.run}/${key}`, text: '', trusted };
  const posted = await postOnce(deps, journal, {
    key,
    standing: (now) => now.posted.get(key),
    send: (earlier) => surface.say(thread, { ...post, ...earlier }),
    // A line that a search found may show an earlier call, so it does not count as shown.
    receipt: (_state, card, { maybePosted }) => [{ type: 'posted', key, card }, ...(maybePosted ? [] : [shown])],
    steps: ['line-begun', 'line-sent', 'line-recorded'],
  });
  if (posted.type === 'unsent') throw posted.error;
  if (posted.type === 'posted') return;
  await byOne(journal, onLine(journal, line), async () => {
    const standing = known(journal).posted.get(key);
    if (standing !== undefined) await surface.amend(thread, standing, { ...post, maybePosted: false });
    await step('line-changed');
    await journal.commit(() => ({ entries: [shown], result: undefined }));
  });
}

function onLine({ run }: RunJournal, { trust, shows }: OwedLine): Shown {
  const newsOf = ({ lines }: RunState) => lines.get(trust) ?? { news: 0, shows: 0 };
  return {
    of: run,
    what: `line/${trust}`,
    state: `${shows}`,
    isOwed: (state) => newsOf(state).news > newsOf(state).shows,
    isPast: (state) => newsOf(state).shows >= newsOf(state).news || newsOf(state).news > shows,
  };
}
