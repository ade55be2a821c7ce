import type { Approval } from '../../app/records.ts';
import { fallback, type MessageView, type Mrkdwn, mention, moment, mrkdwn, plain, prose, section } from './blocks.ts';
import { deciders, toolName } from './call.ts';
import { SHOWN } from './limits.ts';
import { listed } from './wording.ts';

/** A question that still waits, in a line that calls people. What the call would do stands on its card. */
export function reminder(approval: Approval, what: 'reminder' | 'escalation'): MessageView {
  const { tool, summary, expiresAtMs, escalation } = approval;
  const people = what === 'reminder' ? deciders(approval) : (escalation?.to ?? []).slice(0, SHOWN.deciders).map(called);
  const line = mrkdwn`${listed(people, 'and')}: ${toolName(tool)} still waits for a decision, until ${moment(expiresAtMs)}.`;
  return {
    text: fallback(line),
    blocks: [section('waits', line), prose('what', plain(summary, SHOWN.summaryChars).text, SHOWN.summaryChars)],
  };
}

/** A user group is called by another sign than a person. */
function called(id: string): Mrkdwn {
  return /^S[A-Z0-9]{2,31}$/.test(id) ? { mrkdwn: `<!subteam^${id}>` } : mention(id);
}
