import { given } from '../given.ts';
import type { Log } from '../log.ts';
import { type Cards, orFailed, settleSoon } from '../questions/index.ts';
import type { FindJournal } from '../recorder/index.ts';
import type { ApprovalId, ListCard } from '../records/index.ts';
import { type Approvals, type DecideResult, settledAnswer, type VerdictPress } from './answers.ts';

export interface AllRowsDeps {
  readonly open: FindJournal;
  /** Whether every row can be approved with one press, because none asks for more than a look. */
  readonly mayApproveTogether: (list: ListCard) => boolean;
  /** Judges and records one press; the card is painted here, once for all rows. */
  readonly decide: (press: VerdictPress) => Promise<DecideResult>;
  readonly cards: Cards;
  readonly log: Log;
}

/** One press for all open rows of a list card. Each row is judged and recorded by itself, as if pressed alone. */
export function createAllRows({
  open,
  mayApproveTogether,
  decide,
  cards,
  log,
}: AllRowsDeps): Pick<Approvals, 'findList' | 'decideAll'> {
  const findList = async (id: ApprovalId): Promise<ListCard | undefined> => (await open(id))?.list(id);

  const decideAll: Approvals['decideAll'] = async ({ list: id, run, verdict, by, card, reason }) => {
    const journal = await open(id, run);
    const list = await journal?.list(id);
    if (journal === undefined || list === undefined) return { type: 'unknown' };
    if (verdict === 'approve' && !mayApproveTogether(list)) return { type: 'not-offered' };
    const results: DecideResult[] = [];
    for (const row of list.rows) {
      // The rows were written before the card was posted, so no row was added after the press.
      results.push(
        row.status === 'pending'
          ? await decide({
              approval: row.id,
              run: row.run,
              verdict,
              by,
              from: { type: 'card', card },
              ...given({ reason }),
            })
          : settledAnswer(row, { by: by.user, verdict }),
      );
    }
    await journal.refresh();
    await settleSoon(cards, journal);
    // The presser saw open rows on a card that has none, so it is painted again.
    if (list.rows.every(({ status }) => status !== 'pending')) void cards.repaint(journal, id);
    return { type: 'decided', results };
  };

  return {
    findList,
    decideAll: (press) =>
      orFailed(log, 'A press on all rows of a card was not recorded.', { list: press.list }, () => decideAll(press)),
  };
}
