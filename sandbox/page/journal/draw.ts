import type { ThreadName } from '../../records.ts';
import type { World } from '../../world.ts';
import { div, type Html, h, keyed, span } from '../kit/element.ts';
import { icon } from '../kit/icons.ts';
import { personName } from '../kit/names.ts';
import { type DeliveryTrouble, troubledDeliveries } from './deliveries.ts';
import { type Check, type Checks, foundAt, type Journal, type JournalLine, lineToAlter } from './journal.ts';
import { drawVerdict, shortOf } from './verdict.ts';

export interface JournalPane {
  readonly journal: Journal;
  readonly checks: Checks;
  readonly isOpen: boolean;
}

/** The journal of the runs in a thread, beside it. */
export function drawJournal(world: World, thread: ThreadName, { journal, checks, isOpen }: JournalPane): Html {
  const lines = journal.of(thread);
  return h(
    'section',
    { className: isOpen ? 'journal' : 'journal closed', 'aria-label': 'Journal', 'data-key': 'journal' },
    h(
      'header',
      {},
      h(
        'h2',
        {},
        h(
          'button',
          { type: 'button', className: 'fold', 'aria-expanded': isOpen, 'data-fold': isOpen ? 'closed' : 'open' },
          icon('fold'),
          'Journal',
        ),
      ),
      span('quiet', lines.length === 1 ? '1 entry' : `${lines.length} entries`),
    ),
    ...(isOpen ? [drawChecks(thread, lines, checks), drawLines(world, thread, lines, checks)] : []),
  );
}

function drawChecks(thread: ThreadName, lines: readonly JournalLine[], checks: Checks): Html {
  const altered = lineToAlter(lines);
  const busy = checks.isBusy() ? { 'aria-disabled': true, 'aria-busy': true } : {};
  return div(
    'checks',
    checkButton('Verify', 'Runs npm run audit -- verify on all journals.', {
      ...{ ...busy, 'data-check': thread.ts },
    }),
    checkButton(
      'Alter one byte, then verify',
      altered === undefined
        ? 'This needs an entry with another one behind it.'
        : `Alters one byte of entry ${altered.position} in a copy, and verifies the copy, then the journal itself.`,
      {
        ...busy,
        ...(altered === undefined ? { 'aria-disabled': true } : { 'data-check': `${thread.ts} ${altered.hash}` }),
      },
    ),
    drawVerdict(checks, thread, lines),
  );
}

function checkButton(label: string, hint: string, attributes: { readonly [name: string]: unknown }): Html {
  return keyed(
    'button',
    label,
    { type: 'button', className: 'button small', title: hint, 'aria-description': hint, ...attributes },
    label,
  );
}

function drawLines(world: World, thread: ThreadName, lines: readonly JournalLine[], checks: Checks): Html {
  const troubles = troubledDeliveries(world, thread);
  if (lines.length === 0 && troubles.length === 0)
    return h('p', { className: 'welcome' }, 'No entry has arrived here yet. The page reads them while the bot runs.');
  const all = [
    ...lines.map((line) => ({ atMs: Date.parse(line.time), drawn: drawLine(world, line, checks.last(thread)) })),
    ...troubles.map((one) => ({ atMs: one.atMs, drawn: drawTrouble(one) })),
  ];
  return h(
    'ol',
    {
      ...{ className: 'entries', 'aria-label': 'Entries', tabIndex: 0 },
      ...{ 'data-key': 'entries', 'data-scroll': `journal-${thread.ts}` },
    },
    ...all.toSorted((one, other) => one.atMs - other.atMs).map(({ drawn }) => drawn),
  );
}

function drawLine(world: World, line: JournalLine, check: Check | undefined): Html {
  const { who, sentence, position, hash, prev, time, kind } = line;
  const found = check && foundAt(check, line);
  return keyed(
    'li',
    `entry-${line.journal}-${position}`,
    { className: ['fact', KINDS.get(kind) ?? '', found === undefined ? '' : 'red'].filter(Boolean).join(' ') },
    h('time', { dateTime: time, title: time }, CLOCK.format(Date.parse(time))),
    div(
      'says',
      who === undefined ? null : h('strong', {}, `${personName(world, who)}: `),
      sentence,
      found === undefined ? null : span('found', FOUND[found]),
    ),
    div(
      'chain',
      `#${position} `,
      shortHash(hash, 'Hash'),
      ...(prev === '' ? [' first'] : [' ← ', shortHash(prev, 'Hash of the entry before')]),
    ),
    drawDigests(line),
  );
}

const FOUND = { copy: ' Found altered, in the copy.', original: ' Not as it was written.' } as const;

/** What people were asked about and what started are drawn alike, so that the eye sees that they are the same. */
function drawDigests({ kind, digest, shown }: JournalLine): Html {
  if (digest === undefined) return null;
  if (kind === 'call-asked') return div('digests', 'shown ', shortHash(digest, 'Digest'));
  if (kind !== 'call-started') return null;
  const ran = [' ran ', shortHash(digest, 'Digest')];
  if (shown === undefined) return div('digests', ...ran, ', and no card was needed');
  const isSame = shown === digest;
  return div(
    isSame ? 'digests same' : 'digests other',
    ...['shown ', shortHash(shown, 'Digest'), isSame ? ' =' : ' ≠', ...ran],
  );
}

function drawTrouble({ key, atMs, sentence }: DeliveryTrouble): Html {
  return keyed(
    'li',
    `delivery-${key}`,
    { className: 'fact delivery' },
    h('time', { dateTime: new Date(atMs).toISOString() }, CLOCK.format(atMs)),
    div('says', sentence),
    div('chain', 'no entry: the sandbox saw it pass'),
  );
}

function shortHash(hash: string, what: string): Html {
  return h('code', { title: `${what}: ${hash}` }, shortOf(hash));
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** How the entries look that people read first. What the bot writes down about its own posts stands back. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ...['press-refused', 'doubt-refused'].map((kind) => [kind, 'refused'] as const),
  ...['call-decided', 'yes-counted', 'doubt-settled'].map((kind) => [kind, 'decided'] as const),
  ...['call-started', 'call-finished'].map((kind) => [kind, 'ran'] as const),
  ...['call-unknown', 'call-expired', 'rules-changed', 'precondition-changed'].map((kind) => [kind, 'warned'] as const),
  ...[
    'post-begun',
    'posted',
    'reply-begun',
    'card-posted',
    'card-painted',
    'copies-painted',
    'line-shown',
    'sealed',
  ].map((kind) => [kind, 'small'] as const),
]);
