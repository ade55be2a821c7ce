import type { Entry } from '../../app/journal/entries.ts';
import { findBreak } from '../../app/journal/line.ts';
import { BOT, TEAM } from '../../sandbox/people.ts';
import { draws, says } from './bot.ts';
import type { History, StoredRun } from './history.ts';
import {
  approvalsOn,
  canBeDecided,
  cardOf,
  endsOf,
  entriesOf,
  hasOpenQuestion,
  isA,
  isOver,
  isRunning,
  keyOf,
  runOf,
} from './read-history.ts';

/**
 * What is always true of a thread, whatever died on the way: judged from what is stored and from what those outside of
 * the bot saw, never from what a bot says of itself. Each rule answers with what is wrong, one sentence each.
 */
export interface Judged {
  readonly history: History;
  /** As it was when a bot had just died, oldest first. */
  readonly before: readonly History[];
  /** At most so many answers of the model never got into a journal: their bot died or lost the run meanwhile. */
  readonly cutTurns: number;
  /** Keys of messages that Slack delivered after later ones of their thread. */
  readonly late?: readonly string[];
}

type Rule = (judged: Judged) => readonly string[];

export function brokenRules(judged: Judged): readonly string[] {
  return Object.entries(RULES).flatMap(([id, rule]) => rule(judged).map((problem) => `${id}: ${problem}`));
}

/** Of the tools that tests let run: what nobody has to be asked about, and what no standing yes covers. */
const OPEN: readonly string[] = ['service_status', 'look'];
const GUARDED: readonly string[] = ['drop_database', 'wipe'];

const grantless: Rule = ({ history }) =>
  history.begun.flatMap(({ key, tool }) => {
    const run = runOf(history, key.slice(0, key.indexOf('/')));
    if (run === undefined) return [`${key} ran, and no journal knows of it`];
    const call = key.slice(run.run.length + 1);
    const started = entriesOf(run, 'call-started').filter((entry) => entry.call === call && entry.repeats !== true);
    const [start] = started;
    if (start === undefined || started.length > 1) return [`${key} ran, and was started ${started.length} times`];
    const { grant } = start;
    // The journal is not believed when it says that nobody had to be asked.
    if (grant.type === 'open') return OPEN.includes(tool) ? [] : [`${key} ran ${tool}, and nobody was asked`];
    if (grant.type === 'trust') return GUARDED.includes(tool) ? [`${key} ran ${tool} on trust`] : [];
    const asked = entriesOf(run, 'call-asked').find(({ approval }) => approval === grant.approval);
    const yes = entriesOf(run, 'call-decided').filter(
      ({ approval, verdict, at }) =>
        approval === grant.approval && (verdict === 'approve' || verdict === 'trust') && at < start.at,
    );
    // An edit is a yes to other bytes: those that the person wrote, and no longer those that were asked about.
    const same = asked?.call === call && (yes[0]?.edit?.digest ?? asked.digest) === start.digest;
    return yes.length === 1 && same ? [] : [`${key} ran without one yes for exactly this call before it`];
  });

/** What does no harm when it is done twice may begin as often as the journal says, and has one effect for each key. */
const twice: Rule = ({ history }) => [
  ...repeated(history.begun.map(({ key }) => key)).flatMap((key) => {
    const starts = history.runs.flatMap((run) =>
      entriesOf(run, 'call-started').filter(({ call }) => key === `${run.run}/${call}`),
    );
    const begun = history.begun.filter((fact) => fact.key === key).length;
    const said = starts.slice(1).every(({ repeats }) => repeats === true) && begun <= starts.length;
    return said ? [] : [`${key} ran more than once`];
  }),
];

const openEnded: Rule = ({ history }) =>
  history.runs.flatMap((run) =>
    entriesOf(run, 'call-started').flatMap(({ call, at }) => {
      const next = run.entries.findIndex(
        (entry, place) => place > at && isA(entry, 'call-started') && entry.call === call,
      );
      const later = run.entries.slice(at + 1, next === -1 ? undefined : next);
      const ends = later.flatMap((entry) => endOf(run, entry, call));
      return /^(finished|unknown( (finished|happened|skip|retry))?)$/.test(ends.join(' ')) ||
        (isRunning(run) && ends.length === 0)
        ? []
        : [`${call} was started and ends with "${ends}"`];
    }),
  );

/** How a started call ended, or what a person said became of it. */
function endOf(run: StoredRun, entry: Entry, call: string): readonly string[] {
  switch (entry.type) {
    case 'call-finished':
      return entry.call === call ? ['finished'] : [];
    case 'call-unknown':
      return entry.call === call ? ['unknown'] : [];
    case 'doubt-settled': {
      const asked = entriesOf(run, 'doubt-asked').find(({ doubt }) => doubt === entry.doubt);
      return asked?.call === call && entry.by !== undefined ? [entry.how] : [];
    }
    default:
      return [];
  }
}

const changedMind: Rule = ({ history }) =>
  history.runs.flatMap((run) =>
    entriesOf(run, 'call-asked')
      .filter(({ approval }) => endsOf(run, approval).length > 1)
      .map(({ approval }) => `${approval} has more than one final state`),
  );

/** A card without buttons says that it is over, and so must the journal. */
const shownAhead: Rule = ({ history }) =>
  history.messages.flatMap((message) => {
    const ended = approvalsOn(history, message).filter((approval) => !canBeDecided(message, approval));
    const unknown = ended.filter((approval) => !isOver(history, approval));
    return unknown.map((approval) => `the card of ${approval} shows an end that is not in the journal`);
  });

const ranAnyway: Rule = ({ history }) =>
  history.runs.flatMap((run) =>
    entriesOf(run, 'call-asked').flatMap(({ approval, call }) => {
      const refused = endsOf(run, approval).some(
        (end) => end.type !== 'call-decided' || end.verdict === 'deny' || end.verdict === 'answer',
      );
      if (!refused) return [];
      const ran = history.begun.some(({ key }) => key === `${run.run}/${call}`);
      const told = entriesOf(run, 'call-answered').some((entry) => entry.call === call);
      return [
        ...(ran ? [`${call} ran though it was refused`] : []),
        ...(told || entriesOf(run, 'run-finished').length === 0
          ? []
          : [`the model was not told that ${call} did not run`]),
      ];
    }),
  );

/** The question what became of a call is a card like any other. */
const doubtsThatLie: Rule = ({ history }) =>
  history.messages.flatMap((message) => {
    const doubt = keyOf(message)?.startsWith('doubt:') === true ? keyOf(message)?.slice('doubt:'.length) : undefined;
    if (doubt === undefined) return [];
    const over = history.runs.some((run) => entriesOf(run, 'doubt-settled').some((entry) => entry.doubt === doubt));
    return over === draws(message, 'doubt_skip') ? [`the card of doubt ${doubt} does not show what is written`] : [];
  });

const cardsThatLie: Rule = (judged) => [...doubtsThatLie(judged), ...approvalsThatLie(judged)];

const approvalsThatLie: Rule = ({ history }) => [
  ...repeated(history.messages.flatMap((message) => approvalsOn(history, message))).map(
    (approval) => `${approval} has more than one card`,
  ),
  ...history.messages.flatMap((message) => {
    const open = approvalsOn(history, message).filter((approval) => canBeDecided(message, approval));
    return open
      .filter((approval) => isOver(history, approval))
      .map((approval) => `${approval} is over and its card still has buttons`);
  }),
];

const lostWords: Rule = ({ history, late = [] }) => {
  const inJournals = history.runs.flatMap((run) => entriesOf(run, 'person-said').map(({ key }) => key));
  const written = history.messages
    .filter(({ user }) => user !== BOT)
    .map(({ channel, ts }) => `m/${TEAM}/${channel}/${ts}`);
  const isWish = (key: string) =>
    history.messages.some(({ ts, text }) => key.endsWith(ts) && /> (stop|untrust \w+)$/.test(text));
  return [
    ...repeated(inJournals).map((key) => `${key} is in a journal twice`),
    ...written.filter((key) => !inJournals.includes(key) && !isWish(key)).map((key) => `${key} is in no journal`),
    ...history.runs.flatMap((run) => outOfOrder(run, late)),
  ];
};

/**
 * What waited together is heard in the order in which it was written. What was delivered after later messages had been
 * heard comes behind them: a journal is not rewritten. A button and a form have no time of Slack's.
 */
function outOfOrder(run: StoredRun, late: readonly string[]): readonly string[] {
  const said = entriesOf(run, 'person-said').filter(({ key }) => /\/[\d.]+$/.test(key));
  const inTime = said.filter(({ key }) => !late.includes(key));
  const together = said.map(({ atMs }) => said.filter((one) => one.atMs === atMs));
  return [inTime, ...together].some((messages) => !isSorted(messages.map(({ key }) => key)))
    ? [`the messages of ${run.run} are out of order`]
    : [];
}

const isSorted = (keys: readonly string[]): boolean => keys.join() === keys.toSorted().join();

const forgotten: Rule = ({ history }) => [
  ...history.inbox.map((key) => `${key} is still in the inbox`),
  ...history.runs
    .filter((run) => isRunning(run) && !hasOpenQuestion(run))
    .map(({ run }) => `${run} has no end and waits for nobody`),
];

const rewritten: Rule = ({ history, before }) => [
  ...before.flatMap((earlier) =>
    earlier.runs.flatMap(({ run, lines }) => {
      const now = history.runs.find((candidate) => candidate.run === run)?.lines ?? [];
      return lines.every((line, at) => line === now[at]) ? [] : [`${run} is not what it was, and more`];
    }),
  ),
  ...history.runs.flatMap(({ run, lines }) =>
    findBreak(lines) === undefined ? [] : [`the chain of ${run} is broken at ${findBreak(lines)}`],
  ),
];

const askedAgain: Rule = ({ history, cutTurns }) => {
  const turns = history.runs.flatMap((run) => entriesOf(run, 'turn-answered').map(({ turn }) => `${run.run}/${turn}`));
  const more = history.modelRequests - turns.length;
  return [
    ...repeated(turns).map((turn) => `${turn} was answered twice`),
    ...(more >= 0 && more <= cutTurns
      ? []
      : [`${history.modelRequests} requests to the model for ${turns.length} turns`]),
  ];
};

const saidTwice: Rule = ({ history }) => [
  // What people read along with has become a post, or is gone.
  ...history.messages
    .filter((message) => message.stream !== undefined && keyOf(message) === undefined)
    .map(({ text }) => `half an answer was left in the thread: "${text}"`),
  ...repeated(history.messages.flatMap((message) => keyOf(message) ?? [])).map((key) => `${key} was posted twice`),
  ...history.runs.flatMap((run) => {
    const [last, ...more] = entriesOf(run, 'turn-answered').filter(({ calls }) => calls.length === 0);
    const asked = run.entries.slice(last?.at).some(({ type }) => type === 'person-said' || type === 'guided');
    return more.length === 0 || asked ? [] : [`${run.run} has ${more.length + 1} final replies`];
  }),
];

/** Said yes to: it was started on that yes, or its card says that it was not. */
const unapplied: Rule = ({ history }) =>
  history.runs.flatMap((run) =>
    isRunning(run)
      ? []
      : entriesOf(run, 'call-decided').flatMap(({ approval, verdict }) => {
          if (verdict !== 'approve' && verdict !== 'trust') return [];
          const applied = entriesOf(run, 'call-started').some(
            ({ grant }) => grant.type === 'approval' && grant.approval === approval,
          );
          const card = cardOf(history, approval);
          // On a card with many calls, of its row.
          const blocks = (card?.blocks ?? []).filter((block) => JSON.stringify(block).includes(approval));
          const reported = card === undefined || says({ text: '', blocks }, 'Not run:');
          return applied !== reported || card === undefined
            ? []
            : [`${approval} was said yes to, and nobody knows more`];
        }),
  );

/** A call on trust has no card: the line of its trust is all that people see of it. */
const unseen: Rule = ({ history }) =>
  history.runs.flatMap((run) => {
    const grants = entriesOf(run, 'call-started').flatMap(({ grant }) => (grant.type === 'trust' ? [grant.grant] : []));
    return [...new Set(isRunning(run) ? [] : grants)].flatMap((grant) => {
      const calls = new Set(grantedCalls(run, grant)).size;
      const line = history.messages.find((message) => keyOf(message) === `${run.run}/trusted/${grant}`);
      const counted = calls === 1 ? / without asking\. / : ` without asking: ${calls} calls in this run.`;
      return line !== undefined && says(line, counted)
        ? []
        : [`${run.run} has no line that tells of ${calls} on ${grant}`];
    });
  });

const grantedCalls = (run: StoredRun, trust: string): readonly string[] =>
  entriesOf(run, 'call-started').flatMap(({ call, grant }) =>
    grant.type === 'trust' && grant.grant === trust ? [call] : [],
  );

/**
 * D13 is D10 read across a death; D14 wants clocks that disagree, and D15 says under which faults all of these hold, so
 * those two belong to the tests and not to a history.
 */
const RULES: Readonly<Record<string, Rule>> = {
  D1: grantless,
  D2: twice,
  D3: openEnded,
  D4: changedMind,
  D5: shownAhead,
  D6: ranAnyway,
  D7: cardsThatLie,
  D8: lostWords,
  D9: forgotten,
  D10: rewritten,
  D11: askedAgain,
  D12: saidTwice,
  P6: unapplied,
  P53: unseen,
};

function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}
