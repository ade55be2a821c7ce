import type { CallReminded } from '../facts/reminders.ts';
import type { AskedApproval } from './asked.ts';
import { newTo } from './queries/copies.ts';

/** Adds copies. All copies count as showing the oldest revision among them. */
export function withCopies(
  { copies, copiesShow, perhapsTold, ...approval }: AskedApproval,
  { what, stage = 0, copies: told = [], revision = 0 }: Told,
): AskedApproval {
  const added = newTo(copies, told).map((copy) => ({ ...copy, what }));
  const shows = copies.length === 0 ? revision : Math.min(copiesShow, revision);
  return {
    ...approval,
    copies: [...copies, ...added],
    copiesShow: added.length === 0 ? copiesShow : shows,
    perhapsTold: perhapsTold.filter((one) => one.what !== what || one.stage !== stage),
  };
}

type Told = Pick<CallReminded, 'what' | 'stage' | 'copies' | 'revision'>;
