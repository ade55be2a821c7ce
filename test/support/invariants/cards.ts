import { draws, says } from '../bot.ts';
import type { StoredRun } from '../history.ts';
import { approvalsOn, canBeDecided, entriesOf, isOver, isRunning, keyOf } from '../read-history.ts';
import { type Rule, repeated } from './rule.ts';

/** A card without buttons says that it is over, and so must the journal. */
export const shownAhead: Rule = ({ history }) =>
  history.messages.flatMap((message) => {
    const ended = approvalsOn(history, message).filter((approval) => !canBeDecided(message, approval));
    const unknown = ended.filter((approval) => !isOver(history, approval));
    return unknown.map((approval) => `the card of ${approval} shows an end that is not in the journal`);
  });

export const cardsThatLie: Rule = (judged) => [...doubtsThatLie(judged), ...approvalsThatLie(judged)];

/** The question what became of a call is a card like any other. */
const doubtsThatLie: Rule = ({ history }) =>
  history.messages.flatMap((message) => {
    const doubt = keyOf(message)?.startsWith('doubt:') === true ? keyOf(message)?.slice('doubt:'.length) : undefined;
    if (doubt === undefined) return [];
    const over = history.runs.some((run) => entriesOf(run, 'doubt-settled').some((entry) => entry.doubt === doubt));
    return over === draws(message, 'doubt_skip') ? [`the card of doubt ${doubt} does not show what is written`] : [];
  });

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

export const saidTwice: Rule = ({ history }) => [
  // What people read along with has become a post, or is gone.
  ...history.messages
    .filter((message) => message.stream !== undefined && keyOf(message) === undefined)
    .map(({ text }) => `half an answer was left in the thread: "${text}"`),
  // A process that dies while it tells a thread that it is set aside, or left, leaves the next one to tell it.
  ...repeated(
    history.messages.flatMap((message) => keyOf(message) ?? []).filter((key) => !/^(aside|abandoned)\//.test(key)),
  ).map((key) => `${key} was posted twice`),
  ...history.runs.flatMap((run) => {
    const [last, ...more] = entriesOf(run, 'turn-answered').filter(({ calls }) => calls.length === 0);
    const asked = run.entries.slice(last?.at).some(({ type }) => type === 'person-said' || type === 'guided');
    return more.length === 0 || asked ? [] : [`${run.run} has ${more.length + 1} final replies`];
  }),
];

/** A call on trust has no card: the line of its trust is all that people see of it. */
export const unseen: Rule = ({ history }) =>
  history.runs.flatMap((run) => {
    const grants = entriesOf(run, 'call-started').flatMap(({ grant }) => (grant.type === 'trust' ? [grant.grant] : []));
    return [...new Set(isRunning(run) ? [] : grants)].flatMap((grant) => {
      const calls = new Set(grantedCalls(run, grant)).size;
      const line = history.messages.find((message) => keyOf(message) === `${run.run}/trusted/${grant}`);
      const counted = calls === 1 ? / without asking: / : ` without asking, ${calls} calls`;
      return line !== undefined && says(line, counted) && !says(line, 'Running.')
        ? []
        : [`${run.run} has no line that tells of ${calls} on ${grant}`];
    });
  });

const grantedCalls = (run: StoredRun, trust: string): readonly string[] =>
  entriesOf(run, 'call-started').flatMap(({ call, grant }) =>
    grant.type === 'trust' && grant.grant === trust ? [call] : [],
  );
