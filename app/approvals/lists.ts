import type { Authority } from '../authority/index.ts';
import {
  askedIndex,
  barredFrom,
  settledIndex,
  suggestedIndex,
  unheardIndex,
  unlessNewer,
  waitingIndex,
} from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { FindJournalDeps, RunJournal } from '../recorder/index.ts';
import {
  type Approval,
  ApprovalId,
  type Doubt,
  type Person,
  RunId,
  type UnheardRun,
  type UserId,
} from '../records/index.ts';
import type { IndexName, Store } from '../store/index.ts';
import { createSharedWork, keepNewest, nextTurn } from '../time/index.ts';
import type { Approvals, WaitingList } from './answers.ts';

export interface ListDeps {
  readonly store: Pick<Store, 'members'>;
  readonly find: (id: ApprovalId) => Promise<Approval | undefined>;
  /** Approvals and doubts share one kind of id; the journal knows which of them an id names. */
  readonly findDoubt: (id: ApprovalId) => Promise<Doubt | undefined>;
  /** `undefined` for a run that its thread heard the end of. */
  readonly findUnheard: (run: RunId) => Promise<UnheardRun | undefined>;
  /** For the questions that this person is shown. Decides nothing, and must not reject. */
  readonly groupsOf: Authority['groupsOf'];
  /** Who is told of suggested rules. */
  readonly suggestionsTo: readonly string[];
  /** For choosing what counts as recent. Decides nothing. */
  readonly now: () => number;
}

/**
 * Finds the journal of a question in a list. Most of them are of the past, so a run that is over is not read again. The run of a
 * question never changes, so the store is asked for it once.
 */
export function createFindInList({ store, journalOf }: FindJournalDeps) {
  const runs = new Map<ApprovalId, RunId>();
  const runOf = async (id: ApprovalId): Promise<RunId | undefined> => {
    const run = runs.get(id) ?? (await store.findApproval(id));
    if (run !== undefined) keepNewest(runs, id, run, LIMITS.listedKnown);
    return run;
  };
  const shared = createSharedWork<RunJournal>();
  return async (id: ApprovalId): Promise<RunJournal | undefined> => {
    const run = await runOf(id);
    if (run === undefined) return undefined;
    // Questions of one run that are looked up at once share one reading of its journal.
    return shared(run, async () => {
      const journal = journalOf(run);
      await journal.refreshUnlessOver();
      return journal;
    });
  };
}

/** The lists that concern one person. They only find questions; the journals say which of them are open. */
export function createLists({
  store,
  find,
  findDoubt,
  findUnheard,
  groupsOf,
  suggestionsTo,
  now,
}: ListDeps): Pick<Approvals, 'waitingFor' | 'askedBy' | 'settledFor' | 'suggestedTo'> {
  const findApproval = (id: string) => find(ApprovalId.parse(id));
  /** Lists of the store have no order, so all questions are read to find the oldest, a few at a time. */
  const open = async (
    indexes: readonly IndexName[],
    isTheirs: (question: Approval | Doubt) => boolean,
  ): Promise<WaitingList> => {
    const ids = [...new Set((await Promise.all(indexes.map((index) => store.members(index)))).flat())];
    let approvals: readonly Approval[] = [];
    let doubts: readonly Doubt[] = [];
    let more = Math.max(0, ids.length - LIMITS.listRead);
    for (const some of inParts(ids.slice(0, LIMITS.listRead))) {
      const found = await lookUp(some, findApproval);
      const rest = some.filter((id) => !found.some((approval) => approval.id === id));
      const waiting = found.filter((approval) => approval.status === 'pending' && isTheirs(approval));
      const asked = [...approvals, ...waiting];
      approvals = oldestOf(asked);
      more += asked.length - approvals.length;
      const lost = await lookUp(rest, (id) => findDoubt(ApprovalId.parse(id)));
      const all = [...doubts, ...lost.filter((doubt) => doubt.standing.status === 'pending' && isTheirs(doubt))];
      doubts = oldestOf(all);
      more += all.length - doubts.length;
    }
    return { approvals, doubts, more };
  };

  /** Of this week and the one before. */
  const unheardOf = async ({ team, user }: Person): Promise<readonly UnheardRun[]> => {
    const weeks = [unheardIndex(team, user, now()), unheardIndex(team, user, now() - WEEK_MS)];
    const runs = (await Promise.all(weeks.map((index) => store.members(index)))).flat();
    const found = await lookUp(runs.slice(0, LIMITS.notesRead), (id) => findUnheard(RunId.parse(id)));
    return [...found].sort((one, other) => other.atMs - one.atMs);
  };

  return {
    // A question to a group stands in the list of the group. Slack is asked each time who is in it.
    waitingFor: async (by) => {
      const whose = [by.user, ...(await groupsOf(by))];
      const waiting = await open(
        whose.map((id) => waitingIndex(by.team, id)),
        (question) => canStillAnswer(question, by.user),
      );
      return { ...waiting, unheard: await unheardOf(by) };
    },
    askedBy: ({ team, user }) => open([askedIndex(team, user)], () => true),
    settledFor: createSettled({ store, find: findApproval, now }),
    suggestedTo: async ({ team, user }) =>
      suggestionsTo.includes(user) ? suggestedIn({ store, find: findApproval, now }, team) : [],
  };
}

/** The calls of one turn are asked about at the same moment, so their ids decide which of them are shown. */
function oldestOf<Question extends Approval | Doubt>(questions: readonly Question[]): readonly Question[] {
  return [...questions]
    .sort((one, other) => one.askedAtMs - other.askedAtMs || (one.id < other.id ? -1 : 1))
    .slice(0, LIMITS.waitingShown);
}

interface Looking extends Pick<ListDeps, 'store' | 'now'> {
  readonly find: (id: string) => Promise<Approval | undefined>;
}

/** The calls of this week and the one before for which a rule was suggested, newest first and each once. */
async function suggestedIn({ store, find, now }: Looking, team: string): Promise<readonly Approval[]> {
  const weeks = [suggestedIndex(team, now()), suggestedIndex(team, now() - WEEK_MS)];
  const ids = (await Promise.all(weeks.map((index) => store.members(index, LIMITS.notesRead)))).flat();
  const found = [...(await lookUp(ids, find))].sort((one, other) => other.askedAtMs - one.askedAtMs);
  const isNewest = ({ suggestion }: Approval, at: number) =>
    found.findIndex((one) => one.suggestion === suggestion) === at;
  return found.filter(isNewest);
}

/** The questions that were lately answered by a person or for them. */
function createSettled({ store, find, now }: Looking): Approvals['settledFor'] {
  /** The record of an approved call that ran changes no more. Each question looks at what its requester answered that day. */
  const ran = new Map<string, Approval>();

  const lookUpSettled = async (ids: readonly string[]): Promise<readonly Approval[]> => {
    const known = ids.map((id) => ran.get(id)).filter((one) => one !== undefined);
    if (known.length === ids.length) return known;
    const found = await lookUp(
      ids.filter((id) => !ran.has(id)),
      find,
    );
    for (const one of found.filter(staysAsItIs)) keepNewest(ran, one.id, one, LIMITS.ranKnown);
    return [...known, ...found];
  };

  /** Reads day by day backwards until there is enough to show. */
  return async ({ team, user }, most = LIMITS.listRead) => {
    let newest: readonly Approval[] = [];
    for (let day = 0; day < LIMITS.settledDays && newest.length < LIMITS.settledShown; day += 1) {
      const ids = await store.members(settledIndex(team, user, now() - day * DAY_MS), most);
      for (const some of inParts(ids))
        newest = [...newest, ...(await lookUpSettled(some))]
          .sort((one, other) => settledAt(other) - settledAt(one))
          .slice(0, LIMITS.settledShown);
    }
    return newest;
  };
}

/** Records may be large, so only so many are read at a time. */
function inParts(ids: readonly string[]): readonly (readonly string[])[] {
  const parts = Math.ceil(ids.length / PART);
  return Array.from({ length: parts }, (_, part) => ids.slice(part * PART, (part + 1) * PART));
}

const PART = 20;

async function lookUp<Found>(
  ids: readonly string[],
  look: (id: string) => Promise<Found | undefined>,
): Promise<readonly Found[]> {
  const readable = (id: string) =>
    unlessNewer(
      () => look(id),
      // The list leaves out what only a newer version can read. A replica of that version shows it.
      () => undefined,
    );
  // An embedded store reads at once, and a record may hold a large input, so other work has its turn before each.
  let turn = Promise.resolve();
  const looking = ids.map((id) => {
    turn = turn.then(nextTurn);
    return turn.then(() => readable(id));
  });
  const found = await Promise.all(looking);
  return found.filter((one) => one !== undefined);
}

/** Whether no later entry changes this record. A record with a long text is not kept. */
function staysAsItIs(approval: Approval): boolean {
  if (approval.status !== 'approved' || approval.outcome.type !== 'ran') return false;
  return approval.decision.edit === undefined && approval.input.length <= LIMITS.inlineInputChars;
}

/** Whether this user can still answer. The list of a group names neither the requester nor who has answered. */
function canStillAnswer(question: Approval | Doubt, user: UserId): boolean {
  if ('progress' in question && question.progress?.yeses.some(({ by }) => by === user)) return false;
  return !barredFrom(question.rule, question).includes(user);
}

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;

function settledAt(approval: Approval): number {
  return 'decision' in approval ? approval.decision.atMs : approval.expiresAtMs;
}
