import { isEditable } from '../forms/edit-modal.ts';
import { showsWholeInput } from './call.ts';
import { offersTrust } from './card-question.ts';
import { mayApproveTogether } from './list/list-card.ts';
import { showsWholeInRow } from './list/row-words.ts';

/** What the cards show and offer, for those who check presses. */
export const offers = { showsWholeInput, showsWholeInRow, mayApproveTogether, isEditable, offersTrust };
