import type { TrustedCalls } from '../../../app/records/index.ts';
import { toolName } from '../card/call.ts';
import { trustEndedNote, untrustButton } from '../card/trust-buttons.ts';
import {
  actions,
  fallback,
  footnote,
  type Letters,
  letters,
  type MessageView,
  mention,
  mrkdwn,
  paragraph,
  plain,
} from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { cutMiddle } from '../kit/text.ts';
import { count, outcomeText } from '../words/wording.ts';

/**
 * The calls of a run that ran on one trust: each with how it came out, below them the sentence of the trust, and the button
 * that ends it until it has ended.
 */
export function trustedLine({ trust, tool, by, line, calls, over }: TrustedCalls): MessageView {
  const shown = calls.slice(-SHOWN.trustedCalls).map((call) => letters(callWords(call)));
  const latest = shown.at(-1) ?? letters('');
  const isOne = calls.length === 1;
  const head = isOne ? 'without asking: ' : `without asking, ${count(calls.length, 'call')}`;
  const all = isOne
    ? shown
    : [letters(':'), ...earlier(calls.slice(0, -SHOWN.trustedCalls)), ...shown.flatMap(inOwnLine)];
  const parts = [letters(toolName(tool), 'code'), letters(` ${head}`), ...all];
  return {
    text: fallback(mrkdwn`\`${toolName(tool)}\` ${head}${isOne ? '' : '. The latest: '}${latest.text}`),
    blocks: [
      paragraph('trusted', parts),
      footnote('trusted:by', [
        mrkdwn`Trusted by ${mention(by)}`,
        ...(line === undefined ? [] : [plain(line, SHOWN.trustLineChars)]),
      ]),
      over === undefined
        ? actions('ends-trust', [untrustButton('trust_end_line', trust, tool)])
        : trustEndedNote('trust-ended', over),
    ],
  };
}

type Call = TrustedCalls['calls'][number];

/** The line ends with how the call came out. */
function callWords({ summary, outcome }: Call): string {
  const said = cutMiddle(summary.trim().replace(/\s+/g, ' '), SHOWN.rowSummaryChars);
  const ended = outcome.type === 'running' ? 'Running.' : outcomeText(outcome);
  return said === '' || /[.!?…]$/.test(said) ? `${said} ${ended}`.trim() : `${said}. ${ended}`;
}

const inOwnLine = (said: Letters): readonly Letters[] => [letters('\n• '), said];

/** Counts the calls for which the line has no room. */
function earlier(calls: readonly Call[]): readonly Letters[] {
  if (calls.length === 0) return [];
  const ran = calls.filter(({ outcome }) => outcome.type === 'ran').length;
  const rest = calls.length - ran;
  return inOwnLine(
    letters(
      `${count(calls.length, 'earlier call')}: ${ran} ran${rest === 0 ? '' : `, ${rest} failed or have no known end`}.`,
    ),
  );
}
