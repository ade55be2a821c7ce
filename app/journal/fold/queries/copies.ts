import type { Copy } from '../../../records/index.ts';
import { isSame } from './lost-cards.ts';

/** The copies that are not yet known. */
export function newTo(known: readonly Copy[], copies: readonly Copy[]): readonly Copy[] {
  return copies.filter(({ card }) => !known.some((one) => isSame(one.card, card)));
}
