import { isJsonObject } from '../../../app/json.ts';
import type { Approval } from '../../../app/records/index.ts';
import { parsed } from '../kit/input-text.ts';
import { SLACK } from '../kit/limits.ts';
import { visible } from '../kit/text.ts';

/** A member of the input that trust can be bound to: later calls need the same there, and may differ elsewhere. */
export interface Part {
  readonly text: string;
  /** The name of the member. */
  readonly value: string;
}

/**
 * The parts that one line shows whole, because an approver must be able to read what a yes is bound to. An input of one
 * part has no parts to choose, and neither has one that hides something.
 */
export function partsOf({ input, hides }: Pick<Approval, 'input' | 'hides'>): readonly Part[] {
  const value = parsed(input);
  if (!isJsonObject(value) || hides.length > 0) return [];
  const members = Object.entries(value);
  if (members.length < 2) return [];
  return members
    .filter(([, member]) => typeof member !== 'object' || member === null)
    .map(([name, member]): Part => ({ text: `${name} ${JSON.stringify(member)}`, value: name }))
    .filter(({ text, value: name }) => isShownWhole(text) && name !== '' && name !== '__proto__')
    .slice(0, SLACK.checkboxes);
}

/** An accent that is a sign of its own looks like one that is a part of its letter. */
const isShownWhole = (text: string): boolean =>
  text.length <= SLACK.optionChars && visible(text) === text && text.normalize('NFC') === text;
