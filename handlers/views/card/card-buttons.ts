import type { Button } from '@slack/types';
import type { Approval } from '../../../app/records/index.ts';
import { button } from '../kit/blocks.ts';
import { cutMiddle } from '../kit/text.ts';
import { toolName } from './call.ts';

/** The buttons of an approval. A screen reader reads `label` aloud, so it names the tool and what a press does. */

/**
 * In a row of a list, `row` is its number and name, as in `1: payments`. Buttons there have no colour, because no row is more
 * important than the others. On a guarded call, a press on Approve opens the form that confirms it.
 */
export function approveButton(approval: Approval, row?: string): Button {
  const tool = toolName(approval.tool);
  return button({
    action: 'approval_approve',
    text: 'Approve',
    label:
      row === undefined ? `Approve this one call of ${cutMiddle(tool, 40)}` : `Approve ${row}, ${cutMiddle(tool, 30)}`,
    value: approval.id,
    ...(row === undefined ? { style: 'primary' as const } : {}),
  });
}

export function answerButton(approval: Approval): Button {
  return { ...listedAnswerButton(approval), action_id: 'approval_answer', style: 'primary' };
}

/** Without colour, because no row of a list is more important than the others. */
export function listedAnswerButton({ id, tool }: Approval): Button {
  const label = `Answer the question of ${cutMiddle(toolName(tool), 40)}`;
  return button({ action: 'approval_answer_listed', text: 'Answer…', label, value: id });
}

export function denyButton({ id, tool }: Approval, row?: string): Button {
  const name = toolName(tool);
  const label = row === undefined ? `Deny this call of ${cutMiddle(name, 40)}` : `Deny ${row}, ${cutMiddle(name, 30)}`;
  const style = row === undefined ? ({ style: 'danger' } as const) : {};
  return button({ action: 'approval_deny', text: 'Deny', label, value: id, ...style });
}

export function trustButton({ id, tool }: Approval): Button {
  const label = `Approve and trust ${cutMiddle(toolName(tool), 40)} as the line says`;
  return button({ action: 'approval_trust', text: 'Trust', label, value: id });
}

export function viewButton({ id, tool }: Approval, row?: string): Button {
  const name = cutMiddle(toolName(tool), 30);
  if (row !== undefined)
    return button({ action: 'approval_view', text: 'View', label: `View ${row}, ${name}`, value: id });
  return button({
    action: 'approval_view',
    text: 'View full input',
    label: `View full input of ${name}`,
    value: id,
  });
}

export function againButton({ id, tool }: Approval): Button {
  const label = `Ask again for ${cutMiddle(toolName(tool), 40)}`;
  return button({ action: 'approval_again', text: 'Ask again', label, value: id });
}

/** Replaces Approve, Deny, Trust and Answer on a call that needs a second factor. */
export function webButton({ id, tool }: Approval): Button {
  const label = `Decide on the web about this call of ${cutMiddle(toolName(tool), 40)}`;
  return button({ action: 'approval_on_web', text: 'Decide on the web', label, value: id, style: 'primary' });
}
