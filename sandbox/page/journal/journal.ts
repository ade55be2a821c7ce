import type { ThreadName } from '../../records.ts';

/** The journals of the app, as the program that serves the page reads them. The page knows nothing of that program. */
export interface Journal {
  /** What was appended about this thread, in the order of time. */
  readonly of: (thread: ThreadName) => readonly JournalLine[];
  /** Verifies all journals, or a copy of them in which one byte of the line with this hash is altered. */
  readonly verify: (altered?: string) => Promise<Verified>;
}

/** An entry of a journal, as the app's own command prints it. */
export interface JournalLine {
  readonly journal: string;
  readonly position: number;
  readonly time: string;
  readonly kind: string;
  readonly sentence: string;
  /** The id of the person who acted. */
  readonly who?: string | undefined;
  readonly hash: string;
  /** The hash of the line before; empty for the first. */
  readonly prev: string;
  /** What a call is, by a hash: what people are asked about, or what started. */
  readonly digest?: string | undefined;
  /** Of a start: the digest that people were shown and said yes to. */
  readonly shown?: string | undefined;
}

export interface Verified {
  /** `failed`: the command could not look. */
  readonly outcome: 'whole' | 'broken' | 'failed';
  /** A sentence for each fault. */
  readonly findings: readonly string[];
  /** What else the command says. */
  readonly notes: readonly string[];
}

/** The last look at the journals. */
export interface Check {
  /** The root of the thread beside whose journal a person asked for it. */
  readonly beside: string;
  /** The hash of the line that was altered in the copy. */
  readonly altered: string | undefined;
  readonly copy?: Verified;
  /** Of the journals themselves. */
  readonly original?: Verified;
}

export interface Checks {
  /** The last look, if a person asked for it beside this thread. */
  readonly last: (thread: ThreadName) => Check | undefined;
  /** Whether a command runs. */
  readonly isBusy: () => boolean;
  /** Begins a look and does not wait for its end. */
  readonly begin: (journal: Journal, what: Pick<Check, 'beside' | 'altered'>) => void;
}

export function createChecks(onChange: () => void): Checks {
  let last: Check | undefined;
  let isBusy = false;
  const show = (check: Check, busy: boolean) => {
    last = check;
    isBusy = busy;
    onChange();
  };
  return {
    last: ({ ts }) => (last?.beside === ts ? last : undefined),
    isBusy: () => isBusy,
    begin: (journal, what) => {
      if (isBusy) return;
      show(what, true);
      void (async () => {
        const copy = what.altered === undefined ? {} : { copy: await journal.verify(what.altered) };
        show({ ...what, ...copy }, true);
        show({ ...what, ...copy, original: await journal.verify() }, false);
      })();
    },
  };
}

/** The line that the page alters: the newest decision, or the first line. A later line has to stand on it. */
export function lineToAlter(lines: readonly JournalLine[]): JournalLine | undefined {
  const isStoodOn = (line: JournalLine) => lines.some(({ prev }) => prev === line.hash);
  return lines.findLast((line) => line.kind === 'call-decided' && isStoodOn(line)) ?? lines.find(isStoodOn);
}

/** What the last look found at this line: in the copy, or in the journal itself. */
export function foundAt({ copy, original, altered }: Check, line: JournalLine): 'copy' | 'original' | undefined {
  const names = ({ findings }: Verified) =>
    findings.some(
      (finding) => finding.startsWith(`${line.journal}:`) && new RegExp(`\\bentry ${line.position}\\b`).test(finding),
    );
  if (original !== undefined && names(original)) return 'original';
  return copy !== undefined && altered === line.hash && names(copy) ? 'copy' : undefined;
}
