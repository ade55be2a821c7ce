import type { Stage } from '../../records/index.ts';
import type { Account } from '../people.ts';

/** Says why too few of the named people can approve a call: `two are named, and one of them asked`. */

/** What keeps a person from approving: they asked, they steered the call, or their account may not decide. */
export type Out = 'asked' | 'steered' | Exclude<Account, 'person' | 'unknown'>;

/** The people of a stage, each with what keeps them from approving, if anything does. */
export interface Candidates {
  readonly people: ReadonlyMap<string, Out | undefined>;
  /** A group of which the members are not known. */
  readonly mayHoldMore: boolean;
}

/** The words for one such person and for several. */
export const OUT: Readonly<Record<Out, readonly [one: string, several: string]>> = {
  asked: ['asked', 'asked'],
  steered: ['helped to ask for it', 'helped to ask for it'],
  deactivated: ['has a deactivated account', 'have deactivated accounts'],
  bot: ['is a bot', 'are bots'],
  guest: ['is a guest', 'are guests'],
  outsider: ['belongs to another organisation', 'belong to another organisation'],
  missing: ['is not known to Slack', 'are not known to Slack'],
};

export function lackWords(
  { approvers, quorum = 1 }: Stage,
  effect: 'asked' | 'guarded',
  { people }: Candidates,
): string {
  const outs = [...people.values()].flatMap((out) => out ?? []);
  if (approvers.length === 0) return withoutApprovers(effect, quorum, outs);
  if (people.size === 0)
    return approvers.every((approver) => approver === 'channel')
      ? 'only the channel is named, and being in a channel decides nothing about a guarded tool'
      : 'no user group that is named has a member';
  const needed = quorum === 1 ? '' : `${numberWord(quorum)} people have to say yes, `;
  const named = `${numberWord(people.size)} ${people.size === 1 ? 'is' : 'are'} named`;
  return `${needed}${[named, ...partsOf(outs, people.size)].join(', and ')}`;
}

function withoutApprovers(effect: 'asked' | 'guarded', quorum: number, [out]: readonly Out[]): string {
  if (effect === 'guarded' || quorum > 1) return 'no approver is named';
  if (out === undefined || out === 'asked' || out === 'steered')
    return 'no approver is named, and the person who asked may not decide';
  return `no approver is named, and the person who asked ${OUT[out][0]}`;
}

function partsOf(outs: readonly Out[], people: number): readonly string[] {
  return [...new Set(outs)].map((out) => {
    const count = outs.filter((other) => other === out).length;
    const who = people === 1 ? 'that person' : `${numberWord(count)} of them`;
    return `${who} ${OUT[out][count === 1 ? 0 : 1]}`;
  });
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const;

export function numberWord(count: number): string {
  return NUMBERS[count] ?? `${count}`;
}
