import type { KnownBlock } from '@slack/types';
import { isJsonObject } from '../../../app/json.ts';
import { count } from '../../../app/log.ts';
import { footnote, hiddenNote, type Letters, letters, paragraph, plain, preformatted } from '../kit/blocks.ts';
import { type Pair, parsed, scalarText, shownInput } from '../kit/input-text.ts';
import { SHOWN } from '../kit/limits.ts';
import { beginning, countChars, cut, cutMiddle, visible } from '../kit/text.ts';

/** The input of a call on its card: as pairs, in one line, or laid out up to a limit. */

export interface Room {
  readonly chars: number;
  readonly lines: number;
}

export const WHOLE: Room = { chars: SHOWN.inputChars, lines: SHOWN.inputLines };
/** On a decided card. */
export const REMINDER: Room = { chars: SHOWN.decidedInputChars, lines: SHOWN.decidedInputLines };

/** The input up to a limit, and a note on how much is left out. What cannot fit is counted, and not laid out. */
export function inputBlocks(id: string, input: string, room: Room): readonly KnownBlock[] {
  const upTo = 2 * room.chars;
  const shown = shownInput(input, upTo);
  if (shown.type === 'pairs') return [linesBlock(id, shown.pairs.map(pairLine))];
  const { text, hidden: laidOut } = cut(shown.text, room);
  const hidden = laidOut + countChars(input.slice(beginning(input, upTo).length));
  if (hidden === 0) return [preformatted(id, text)];
  return [preformatted(id, text), footnote(`${id}:hidden`, [plain(hiddenNote(hidden), SHOWN.noteChars)])];
}

export function isCut(input: string, room: Room): boolean {
  // Laying out makes a text only longer, so a long one is known not to fit.
  if (input.length > room.chars) return true;
  const shown = shownInput(input);
  return shown.type === 'text' && cut(shown.text, room).hidden > 0;
}

/** The input that a person approved in place of another, with the old value before each new one. */
export function changedInputBlocks(id: string, before: string, after: string): readonly KnownBlock[] {
  const [old, now] = [members(before), members(after)];
  if (old === undefined || now === undefined) {
    return [
      footnote(`${id}:changed`, [plain('Changed: the whole input.', SHOWN.noteChars)]),
      ...inputBlocks(id, after, REMINDER),
    ];
  }
  const names = [...new Set([...old.keys(), ...now.keys()])];
  const changed = names.filter((name) => old.get(name) !== now.get(name));
  const more = changed.length - SHOWN.changesShown;
  const lines = [
    ...changed.slice(0, SHOWN.changesShown).map((name) => changeLine(name, old, now)),
    ...(more > 0 ? [[letters(`and ${count(more, 'more change')}`)]] : []),
  ];
  const shown = shownInput(after);
  if (shown.type === 'pairs') {
    const kept = shown.pairs.filter(({ name }) => old.get(name) === now.get(name));
    return [linesBlock(id, [...lines, ...kept.map(pairLine)])];
  }
  return [linesBlock(`${id}:changed`, lines), ...inputBlocks(id, after, REMINDER)];
}

type Members = ReadonlyMap<string, string>;

/** Each member as JSON. */
function members(json: string): Members | undefined {
  // No field holds more, so it cannot have been edited. It may also be too deep to be written as JSON again.
  if (json.length > SHOWN.editedChars) return undefined;
  const value = parsed(json);
  if (!isJsonObject(value)) return undefined;
  return new Map(Object.entries(value).map(([name, member]) => [name, JSON.stringify(member)]));
}

function changeLine(name: string, old: Members, now: Members): readonly Letters[] {
  return [
    letters(cutMiddle(name, SHOWN.changeChars), 'bold'),
    letters(': '),
    letters(valueText(old.get(name)), 'strike'),
    letters(` → ${valueText(now.get(name))}`),
  ];
}

/** A string without its quotation marks, if nothing in it needs them. */
function valueText(json: string | undefined): string {
  if (json === undefined) return NOT_SET;
  const value = parsed(json);
  const isPlain = typeof value === 'string' && !['', NOT_SET].includes(value) && visible(value) === value;
  return cutMiddle(isPlain ? scalarText(value) : json, SHOWN.changeChars);
}

const NOT_SET = 'not set';

const pairLine = ({ name, value }: Pair): readonly Letters[] => [letters(name, 'bold'), letters(`: ${value}`)];

function linesBlock(id: string, lines: readonly (readonly Letters[])[]): KnownBlock {
  const broken = lines.flatMap((line, at) => (at === 0 ? line : [letters('\n'), ...line]));
  return paragraph(id, broken.length === 0 ? [letters(' ')] : broken);
}
