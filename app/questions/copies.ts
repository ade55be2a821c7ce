import {
  type AskedApproval,
  decideCopiesFound,
  decideCopiesPainted,
  owedCopies,
  type RunState,
  toldPerhaps,
} from '../journal/index.ts';
import type { Log } from '../log.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId, Copy } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import { type DebtOutcome, type Surface, settledBy, UnreachableError } from '../surface.ts';
import { createSharedWork, createTurns } from '../time/index.ts';
import { debtsOf, orOwing } from './drawing.ts';
import type { PaintByOne, Shown } from './one-painter.ts';

/** Repaints the direct messages about questions. People may read them much later, so nothing waits for it. */
export interface Copies {
  /** Paints the copies that this run owes. Never rejects: what cannot be painted now stays owed. */
  readonly settle: (journal: RunJournal) => Promise<DebtOutcome>;
  /** Writes the copies off, because Slack has refused to change them for too long. */
  readonly giveUp: (journal: RunJournal) => Promise<void>;
}

export interface CopiesDeps {
  readonly surface: Pick<Surface, 'findCopies' | 'paintCopy'>;
  readonly byOne: PaintByOne;
  readonly log: Log;
  readonly step: AtStep;
}

/** As for a card: a copy that changes faster than it is painted is left to the process that changed it last. */
const REPAINTS = 5;

export function createCopies(deps: CopiesDeps): Copies {
  const shared = createSharedWork<DebtOutcome>();
  const inTurn = createTurns();
  const paintAll = async (journal: RunJournal): Promise<DebtOutcome> => {
    const paid = owedOf(journal).map(({ id }) => inTurn(id, () => paintOrOwe(deps, journal, id)));
    return settledBy(await Promise.all(paid));
  };
  return {
    settle: (journal) => shared(debtsOf(journal), () => paintAll(journal)),
    giveUp: (journal) => giveUp(deps, journal),
  };
}

function paintOrOwe(deps: CopiesDeps, journal: RunJournal, id: ApprovalId): Promise<DebtOutcome> {
  const failed = 'The direct messages about a question could not be painted yet.';
  return orOwing(deps.log.info, failed, { approval: id }, () => paint(deps, journal, id));
}

/** Paints until the journal agrees with the painting: a process cannot know whether its painting came last. */
async function paint(deps: CopiesDeps, journal: RunJournal, id: ApprovalId): Promise<DebtOutcome> {
  for (let tries = 0; tries < REPAINTS; tries += 1) {
    // Another process may have painted the copies a moment ago.
    await journal.refresh();
    const asked = owedOf(journal).find((one) => one.id === id);
    const approval = asked && (await journal.approval(id));
    if (asked === undefined || approval === undefined) return 'paid';
    if (asked.perhapsTold.length > 0) {
      await Promise.all(asked.perhapsTold.map((perhaps) => findTold(deps, journal, { approval, asked, perhaps })));
      continue;
    }
    // A copy in a workspace without the app counts as painted: no later try can change that.
    await deps.byOne(journal, inCopies(asked), async () => {
      await Promise.all(asked.copies.map((copy) => deps.surface.paintCopy(approval, copy).catch(unlessUnreachable)));
      await deps.step('painting-sent');
      await journal.refresh();
      await journal.commit((state) => decideCopiesPainted(state, asked));
    });
  }
  return 'owing';
}

function inCopies({ id, news }: AskedApproval): Shown {
  const isOwed = (state: RunState) => owedCopies(state).some((owed) => owed.id === id);
  const isOlder = (state: RunState) => (state.approvals.get(id)?.news ?? 0) > news;
  return { of: id, what: 'copies', state: `${news}`, isOwed, isPast: (state) => !isOwed(state) || isOlder(state) };
}

interface PerhapsTold {
  readonly approval: Approval;
  readonly asked: AskedApproval;
  readonly perhaps: AskedApproval['perhapsTold'][number];
}

/** Finds the direct messages of a process that may have died before it recorded them. */
async function findTold(
  { surface }: CopiesDeps,
  journal: RunJournal,
  { approval, asked, perhaps: { what, stage } }: PerhapsTold,
): Promise<void> {
  const people = toldPerhaps(asked, approval.requester, { what, stage });
  // In a workspace without the app there is nothing to find, and no later try can change that.
  const found = await surface.findCopies(approval, what, people).catch(noneIfUnreachable);
  await journal.commit((state) =>
    decideCopiesFound(state, { type: 'copies-found', approval: approval.id, what, stage, copies: found }),
  );
}

async function giveUp({ log }: CopiesDeps, journal: RunJournal): Promise<void> {
  for (const asked of owedOf(journal)) {
    const approval = asked.id;
    for (const { what, stage } of asked.perhapsTold) {
      const none = { type: 'copies-found', approval, what, stage, copies: [] } as const;
      await journal.commit((state) => decideCopiesFound(state, none));
    }
    await journal.commit((state) => decideCopiesPainted(state, asked));
    log.warn('The direct messages about a question stay as they are: Slack did not take the change.', { approval });
  }
}

function owedOf(journal: RunJournal) {
  const state = journal.state();
  return state === undefined ? [] : owedCopies(state);
}

function noneIfUnreachable(error: unknown): readonly Copy[] {
  unlessUnreachable(error);
  return [];
}

function unlessUnreachable(error: unknown): void {
  if (!(error instanceof UnreachableError)) throw error;
}
