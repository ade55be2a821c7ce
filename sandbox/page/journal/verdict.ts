import { div, type Html, h } from '../kit/element.ts';
import type { Checks, Verified } from './journal.ts';

/** What the command says of the copy and of the journals. It is always there, because a screen reader announces changes. */
export function drawVerdict(checks: Checks): Html {
  const check = checks.last();
  const parts =
    check === undefined
      ? []
      : [check.copy && drawCopy(check.copy), check.original && drawOriginal(check.original, check.copy !== undefined)];
  return h(
    'div',
    { className: 'verdict', role: 'status', 'aria-label': 'What the audit says', 'data-key': 'verdict' },
    ...parts,
    checks.isBusy() ? div('said', 'npm run audit -- verify …') : null,
  );
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
