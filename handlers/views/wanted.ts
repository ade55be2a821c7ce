import type { KnownBlock } from '@slack/types';
import type { Approval } from '../../app/records.ts';
import { quotation } from './blocks.ts';
import { blockId } from './call.ts';
import { readFields } from './inquiry-fields.ts';
import { SHOWN } from './limits.ts';

/** What a question leaves a person to say. The question stands above, in words; its input would say it once more. */
export function wantedBlocks(
  approval: Approval,
  { choices, form }: NonNullable<Approval['wants']>,
): readonly KnownBlock[] {
  const fields = form === undefined ? [] : (readFields(form) ?? []);
  const asked = fields.map(({ label, required }) => (required ? label : `${label} (optional)`));
  return [...lines(approval, 'The agent’s form asks for', asked), ...lines(approval, 'The agent offers', choices)];
}

function lines(approval: Approval, whose: string, each: readonly string[]): readonly KnownBlock[] {
  if (each.length === 0) return [];
  const text = each.map((one) => `• ${one}`).join('\n');
  return [quotation(blockId(approval, 'wanted'), whose, text, SHOWN.questionShownChars)];
}
