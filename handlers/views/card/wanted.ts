import type { KnownBlock } from '@slack/types';
import type { Approval } from '../../../app/records/index.ts';
import { readFields } from '../forms/schema/fields.ts';
import { quotation } from '../kit/blocks.ts';
import { parsed } from '../kit/input-text.ts';
import { SHOWN } from '../kit/limits.ts';
import { visibleProse } from '../kit/text.ts';
import { blockId, summaryBlocks } from './call.ts';

/** A question in words, with its choices or its form. Its input says no more, so it is not shown. */
export function wantedBlocks(
  approval: Approval,
  { choices, form }: NonNullable<Approval['wants']>,
): readonly KnownBlock[] {
  const fields = form === undefined ? [] : (readFields(form) ?? []);
  const asked = fields.map(({ label, required }) => (required ? label : `${label} (optional)`));
  return [
    ...summaryBlocks(blockId(approval, 'question'), approval, SHOWN.questionShownChars),
    ...lines(approval, 'The agent’s form asks for', asked),
    ...lines(approval, 'The agent offers', choices),
  ];
}

/** Whether the card shows all of a question: its words, and what may be answered. */
export function isAskedInFull({ summary, wants }: Pick<Approval, 'summary' | 'wants'>): boolean {
  if (wants === undefined) return false;
  const asked = wants.form === undefined ? [] : (readFields(wants.form) ?? []).map(({ label }) => label);
  const each = [summary, ...[asked, wants.choices].map((lines) => lines.join('\n• (optional)'))];
  return each.every((text) => visibleProse(text).length <= SHOWN.questionShownChars);
}

function lines(approval: Approval, whose: string, each: readonly string[]): readonly KnownBlock[] {
  if (each.length === 0) return [];
  const text = each.map((one) => `• ${one}`).join('\n');
  return [quotation(blockId(approval, 'wanted'), whose, text, SHOWN.questionShownChars)];
}

/** The answer of a person. The answer to a form is shown with the names of its fields, which the agent wrote. */
export function answeredWords({ wants }: Pick<Approval, 'wants'>, answer: string): string {
  const filled = wants?.form === undefined ? undefined : parsed(answer);
  const fields = wants?.form === undefined ? undefined : readFields(wants.form);
  if (fields === undefined || typeof filled !== 'object' || filled === null) return `“${answer}”`;
  const values = new Map<string, unknown>(Object.entries(filled));
  const said = fields
    .filter(({ name }) => values.has(name))
    .map(({ name, label }) => `${label}: ${valueWords(values.get(name))}`);
  return `In the agent’s form: ${said.join(' · ')}`;
}

function valueWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return `“${value}”`;
  return Array.isArray(value) ? value.map(valueWords).join(', ') : JSON.stringify(value);
}
