import type { ModalView } from '@slack/types';
import type { Approval, StoredTrustTerms, TrustOffer } from '../../../app/records/index.ts';
import { toolName } from '../card/call.ts';
import { footnote, mrkdwn, plain, prose, section } from '../kit/blocks.ts';
import { FIELD } from '../kit/forms.ts';
import { SHOWN, SLACK } from '../kit/limits.ts';
import { cutMiddle, visible } from '../kit/text.ts';
import { calledTool, choiceField, type FormMemory, form, severalField } from './form.ts';
import { partsOf } from './terms-parts.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

/** What the choices mean. The first of each is the narrowest, and is chosen at first. */
export const TERMS = {
  match: [
    { text: 'Only with the same input', value: 'exact' },
    { text: 'If the parts chosen below are the same', value: 'fields' },
    { text: 'With any input', value: 'any' },
  ],
  scope: [
    { text: 'In this thread', value: 'thread' },
    { text: 'In this channel', value: 'channel' },
    { text: 'Whenever the same person asks', value: 'requester' },
  ],
  forMs: [
    { text: 'For one hour', value: `${HOUR_MS}` },
    { text: 'For one day', value: `${DAY_MS}` },
    { text: 'For seven days', value: `${7 * DAY_MS}` },
    { text: 'For 30 days', value: `${30 * DAY_MS}` },
  ],
} as const;

export const NARROWEST: StoredTrustTerms = { match: 'exact', scope: 'thread', forMs: HOUR_MS };

/** Terms with one wider choice each. The form offers only those that its reader may give. */
export const WIDER: readonly StoredTrustTerms[] = [
  { ...NARROWEST, scope: 'channel' },
  { ...NARROWEST, scope: 'requester' },
  { ...NARROWEST, match: 'any' },
];

/** The form to choose which calls, where and how long. The resulting line is shown before any trust is given. */
export function termsModal(approval: Approval, memory: FormMemory, wider: readonly StoredTrustTerms[]): ModalView {
  const { input } = approval;
  const offers = (key: 'match' | 'scope', wanted: string) =>
    [NARROWEST, ...wider].some((terms) => terms[key] === wanted);
  // Calls with the same parts differ in the others, so the rules judge them like calls with any input.
  const parts = offers('match', 'any') ? partsOf(approval) : [];
  const match = TERMS.match.filter(({ value }) => (value === 'fields' ? parts.length > 0 : offers('match', value)));
  const scope = TERMS.scope.filter(({ value }) => offers('scope', value));
  return form('trust_terms', { submit: 'Next', memory }, [
    ...calledTool(approval),
    prose('input', `The input: ${cutMiddle(visible(input), SHOWN.summaryChars - 20)}`, SHOWN.summaryChars),
    choiceField({ field: FIELD.match, label: 'Which calls', options: match }),
    ...(parts.length > 0
      ? [severalField({ field: FIELD.parts, label: 'Parts that have to be the same', options: parts })]
      : []),
    choiceField({ field: FIELD.scope, label: 'Where', options: scope }),
    choiceField({ field: FIELD.forMs, label: 'How long', options: TERMS.forMs }),
  ]);
}

/** Shows the line as it will be stored, listed and matched. */
export function lineModal(
  { tool }: Approval,
  { line, ...terms }: TrustOffer,
  memory: Omit<FormMemory, 'terms'>,
): ModalView {
  return form('trust_line', { submit: 'Approve and trust', memory: { ...memory, terms } }, [
    section('tool', mrkdwn`\`${toolName(tool)}\``),
    prose('line', line, SLACK.sectionChars),
    footnote('means', [
      plain('This approves the call on the card, and later calls that fit the line.', SHOWN.noteChars),
    ]),
  ]);
}
