import type { Fault } from './faults.ts';
import type { Outcome } from './trial.ts';

const shown = ({ from, to }: Fault): string => (to === ';' ? `without: ${from}` : `${from}  →  ${to}`);

/** One fault and what became of it. */
export function line(fault: Fault, outcome: Outcome): string {
  return `${fault.id}  ${shown(fault)}\n    ${fate(outcome)}`;
}

function fate(outcome: Outcome): string {
  switch (outcome.type) {
    case 'green':
      return 'SURVIVED';
    case 'red':
      return `seen by ${outcome.by}`;
    case 'time-out':
      return `time-out: the tests did not end in ${outcome.seconds} s, which counts as seen`;
  }
}

/** How to try one fault again, and what it is. */
export function repeat(fault: Fault): string {
  return `npm run mutate -- --only ${fault.id}  # ${shown(fault)}`;
}

interface Tried {
  readonly part: string;
  readonly outcome: Outcome | undefined;
}

/** For each part, and for all together: how many faults were seen of those that were tried. */
export function table(tried: readonly Tried[]): string {
  const names = [...new Set(tried.map(({ part }) => part))];
  const groups = names.map((name) => ({ name, of: tried.filter(({ part }) => part === name) }));
  const rows = [...groups, ...(groups.length > 1 ? [{ name: 'all', of: tried }] : [])];
  return ['| Part | Seen | of |', '| --- | --- | --- |', ...rows.map(row)].join('\n');
}

function row({ name, of }: { readonly name: string; readonly of: readonly Tried[] }): string {
  const seen = of.filter(({ outcome }) => outcome !== undefined && outcome.type !== 'green');
  const late = seen.filter(({ outcome }) => outcome?.type === 'time-out').length;
  return `| ${name} | ${seen.length}${late === 0 ? '' : ` (${late} by time-out)`} | ${of.length} |`;
}
