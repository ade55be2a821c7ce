import type { ModalView } from '@slack/types';
import type { ListCard } from '../../../app/records/index.ts';
import { openRows } from '../card/list/list-card.ts';
import { mrkdwn, prose, section } from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { cutMiddle } from '../kit/text.ts';
import { count } from '../words/wording.ts';
import { nextField, reasonField } from './deny-modal.ts';
import { type FormMemory, form } from './form.ts';

/** The form to deny all rows: a reason, and what the agent should do instead. */
export function denyAllModal(list: ListCard, memory: FormMemory): ModalView {
  const open = openRows(list);
  const names = open.map(({ tool, summary }) => cutMiddle(summary.trim() || tool, SHOWN.spokenChars));
  return form('list_deny_reason', { submit: 'Deny all', memory }, [
    section('calls', mrkdwn`*${count(open.length, 'call')}* on this card will not run:`),
    prose('names', names.map((name) => `· ${name.replaceAll('\n', ' ')}`).join('\n') || ' ', SHOWN.inquiryChars),
    reasonField(),
    nextField(),
  ]);
}
