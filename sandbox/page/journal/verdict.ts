import type { ThreadName } from '../../records.ts';
import { div, type Html, h } from '../kit/element.ts';
import type { Checks, JournalLine, Verified } from './journal.ts';

/** What the command says of the copy and of the journals. It is always there, because a screen reader announces changes. */
export function drawVerdict(checks: Checks, thread: ThreadName, lines: readonly JournalLine[]): Html {
  const check = checks.last(thread);
  const named = (verified: Verified) => ({
    ...verified,
    findings: verified.findings.map((finding) => byHash(finding, lines)),
  });
  const parts =
    check === undefined
      ? []
      : [
          check.copy && drawCopy(named(check.copy)),
          check.original && drawOriginal(named(check.original), check.copy !== undefined),
        ];
  return h(
    'div',
    { className: 'verdict', role: 'status', 'aria-label': 'What the audit says', 'data-key': 'verdict' },
    ...parts,
    checks.isBusy() ? div('said', 'npm run audit -- verify …') : null,
  );
}

/** The first letters of a hash, by which the pane names an entry. */
export const shortOf = (hash: string): string => hash.slice(0, 8);

/** The command names an entry also by its id, which the pane does not show: its hash stands there. */
function byHash(finding: string, lines: readonly JournalLine[]): string {
  return finding.replace(/\bentry (\d+) \([^)\s]+\)/, (whole, position: string) => {
    const line = lines.find((known) => `${known.position}` === position && finding.startsWith(`${known.journal}:`));
    return line === undefined ? whole : `entry ${position} (${shortOf(line.hash)})`;
  });
}

/** The first note says which byte was altered. */
function drawCopy(copy: Verified): Html {
  return div(`said ${copy.outcome}`, ...paragraphs([...copy.notes.slice(0, 1), ...copy.findings]));
}

function drawOriginal({ outcome, findings, notes }: Verified, isBesideCopy: boolean): Html {
  const last = outcome === 'failed' ? notes : notes.slice(-1);
  const [first = '', ...rest] = [...findings, ...last];
  return div(`said ${outcome}`, ...paragraphs([isBesideCopy ? `The journal itself: ${first}` : first, ...rest]));
}

function paragraphs(words: readonly string[]): readonly Html[] {
  return words.map((sentence) => h('p', { key: sentence }, sentence));
}
