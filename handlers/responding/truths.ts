import type { ConsiderResult, DecideResult } from '../../app/approvals/index.ts';
import type { UserId } from '../../app/records/index.ts';
import { unreachable } from '../../interventions/index.ts';
import {
  ANSWERS,
  alreadyDecided,
  decidedByYou,
  type Mrkdwn,
  notOffered,
  notRecorded,
  notTaken,
  notYours,
  overBefore,
  rulesChanged,
} from '../views/index.ts';

/** The one sentence that answers the press of `reader`. The process that changed the record paints the card. */
export function truthOf(
  result: DecideResult | Exclude<ConsiderResult, { readonly type: 'open' }>,
  reader: UserId,
): Mrkdwn {
  switch (result.type) {
    case 'decided':
    case 'counted':
      return decidedByYou(result.approval);
    case 'unconfirmed':
      return ANSWERS.pressAgain;
    case 'already-decided':
      return alreadyDecided(result.approval, { reader, repeats: result.repeats });
    case 'over':
      return overBefore(result.approval);
    case 'not-yours':
      return notYours(result, result.approval);
    case 'outdated':
      return rulesChanged(result.why);
    case 'not-offered':
      return notOffered(result.approval);
    case 'unfit':
      return notTaken(result.problem);
    case 'unknown':
      return ANSWERS.unknown;
    case 'failed':
      return notRecorded(result);
    default:
      return unreachable(result);
  }
}

/** Whether what the person wanted is on record, by this press or because the same press came before. */
export function counts(result: DecideResult): boolean {
  return result.type === 'decided' || result.type === 'counted' || 'repeats' in result;
}
