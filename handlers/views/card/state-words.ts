import type { Approval } from '../../../app/records/index.ts';
import type { Granted } from './call.ts';

/** The state of an approval, as a word and a sign. */
export interface StateWords {
  /** The name of an emoji. */
  readonly sign: string;
  readonly state: string;
}

/** The word says everything. The sign only helps the eye. */
export function stateWords(approval: Approval): StateWords {
  switch (approval.status) {
    case 'pending':
      return approval.wants === undefined
        ? { sign: 'lock', state: 'Approval needed' }
        : { sign: 'speech_balloon', state: 'Answer needed' };
    case 'approved':
    case 'trusted':
      if (isDeciding(approval)) return { sign: 'hourglass_flowing_sand', state: 'Working on it' };
      return { sign: decidedSign(approval.outcome.type), state: decidedWord(approval) };
    case 'denied':
      return { sign: 'no_entry', state: 'Denied' };
    case 'answered':
      return { sign: 'speech_balloon', state: 'Answered' };
    case 'expired':
      return { sign: 'hourglass', state: 'Expired' };
    case 'cancelled':
      return approval.replacedBy === undefined
        ? { sign: 'octagonal_sign', state: 'Cancelled' }
        : { sign: 'fast_forward', state: 'Replaced' };
  }
}

/** A press was taken and its call has not begun. The card says so at once. */
export function isDeciding(approval: Approval): boolean {
  return (approval.status === 'approved' || approval.status === 'trusted') && approval.outcome.type === 'waiting';
}

function decidedSign(outcome: Granted['outcome']['type']): string {
  if (outcome === 'running') return 'hourglass_flowing_sand';
  return outcome === 'ran' ? 'white_check_mark' : 'warning';
}

function decidedWord({ status, outcome, decision }: Granted): string {
  const plainly = decision.edit === undefined ? 'Approved' : 'Approved with changes';
  const word = status === 'trusted' ? 'Approved and trusted' : plainly;
  return outcome.type === 'unknown' ? `${word}, outcome unknown` : word;
}
