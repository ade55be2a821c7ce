import type { TextRef } from '../../records/index.ts';
import type { BodyOf, EntryBody } from './entries.ts';

/** The positions of the items to which an entry refers. The line of the entry holds their hashes. */
export function itemsOf(entry: EntryBody): readonly number[] {
  switch (entry.type) {
    case 'person-said':
    case 'guided':
    case 'turn-answered':
    case 'call-finished':
    case 'call-answered':
      return [entry.item];
    case 'call-asked':
      return positionsOf(entry.input, entry.shown);
    case 'call-decided':
      return positionsOf(entry.edit?.input, entry.edit?.shown);
    case 'doubt-asked':
      return positionsOf(entry.input);
    default:
      return none(entry);
  }
}

function positionsOf(...texts: readonly (TextRef | undefined)[]): readonly number[] {
  return texts.flatMap((text) => (text !== undefined && 'at' in text ? [text.at] : []));
}

/** Takes only kinds without a field for an item: a kind with such a field needs a case of its own. */
const none = (_entry: Itemless): readonly number[] => [];

type Itemless = {
  [Type in EntryBody['type']]: true extends HasItem<BodyOf<Type>> ? never : BodyOf<Type>;
}[EntryBody['type']];

/** `true` for a value with a position of an item in it, at any depth. */
type HasItem<Value> = Value extends string | number | boolean | undefined
  ? false
  : Value extends { readonly at: number }
    ? true
    : Value extends readonly (infer Each)[]
      ? HasItem<Each>
      : { [Key in keyof Value]: Key extends 'item' ? true : HasItem<Value[Key]> }[keyof Value];
