import type { Entry } from '../../../app/journal/facts/entries.ts';
import { says } from '../bot.ts';
import type { StoredRun } from '../history.ts';
import { cardOf, endsOf, entriesOf, isA, isRunning, runOf } from '../read-history.ts';
import { type Rule, repeated } from './rule.ts';

/** Of the tools in tests: those that never ask, and those that no trust covers. */
const OPEN: readonly string[] = ['service_status', 'look'];
const GUARDED: readonly string[] = ['drop_database', 'wipe'];

export const grantless: Rule = ({ history }) =>
  history.begun.flatMap(({ key, tool }) => {
    const run = runOf(history, key.slice(0, key.indexOf('/')));
    if (run === undefined) return [`${key} ran, and no journal knows of it`];
    const call = key.slice(run.run.length + 1);
    const started = entriesOf(run, 'call-started').filter((entry) => entry.call === call && entry.repeats !== true);
    const [start] = started;
    if (start === undefined || started.length > 1) return [`${key} ran, and was started ${started.length} times`];
    const { grant } = start;
    // The journal alone does not prove that the call needed no question, so the tool is checked too.
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
export const twice: Rule = ({ history }) => [
  ...repeated(history.begun.map(({ key }) => key)).flatMap((key) => {
    const starts = history.runs.flatMap((run) =>
      entriesOf(run, 'call-started').filter(({ call }) => key === `${run.run}/${call}`),
    );
    const begun = history.begun.filter((fact) => fact.key === key).length;
    const said = starts.slice(1).every(({ repeats }) => repeats === true) && begun <= starts.length;
    return said ? [] : [`${key} ran more than once`];
  }),
];

export const openEnded: Rule = ({ history }) =>
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

export const ranAnyway: Rule = ({ history }) =>
  history.runs.flatMap((run) =>
    entriesOf(run, 'call-asked').flatMap(({ approval, call }) => {
      const refused = endsOf(run, approval).some((end) => {
        if (end.type === 'call-decided') return end.verdict === 'deny' || end.verdict === 'answer';
        // A question that is asked again refuses nothing: the one in its place decides.
        return end.type !== 'call-cancelled' || end.again === undefined;
      });
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

/** Said yes to: it was started on that yes, or its card says that it was not. */
export const unapplied: Rule = ({ history }) =>
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
