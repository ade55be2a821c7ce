import { unreachable } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { ApprovalId, DoubtStanding } from '../../records/index.ts';
import type { DoubtEntry, DoubtSettled } from '../facts/doubts.ts';
import type { Stamp } from '../line/line.ts';
import type { AskedDoubt } from './asked.ts';
import { BrokenJournalError, withCall, withItem } from './changes.ts';
import type { RunState } from './state.ts';

export function foldDoubt(state: RunState, entry: DoubtEntry & Stamp): RunState {
  switch (entry.type) {
    case 'doubt-asked': {
      const { type: _, id: _id, atMs, doubt: id, ...asked } = entry;
      const open = { painted: false, refusedChoices: 0, standing: { status: 'pending' } } as const;
      const doubt: AskedDoubt = { ...asked, ...open, id, askedAtMs: atMs };
      const next = withCall(state, entry.call, (call) => ({ ...call, doubt: id }));
      const doubts = new Map([...state.doubts, [id, doubt]]);
      const { input } = entry;
      return input !== undefined && 'at' in input ? withItem({ ...next, doubts }, input.at) : { ...next, doubts };
    }
    case 'doubt-posted':
      return withDoubt(state, entry.doubt, (doubt) => ({ ...doubt, card: entry.card, painted: false }));
    case 'doubt-painted':
      return withDoubt(state, entry.doubt, (doubt) => ({ ...doubt, painted: true }));
    case 'doubt-refused':
      return withDoubt(state, entry.doubt, (doubt) => ({ ...doubt, refusedChoices: doubt.refusedChoices + 1 }));
    case 'doubt-settled': {
      const settled = withDoubt(state, entry.doubt, (doubt) => settle(doubt, entry));
      const call = settled.doubts.get(entry.doubt)?.call;
      const { retry } = entry;
      if (retry === undefined || call === undefined) return settled;
      // It is a call like any other: nobody has said yes to it, and it has not run.
      const fresh = withCall(settled, retry, (before) => before);
      return withCall(fresh, call, (before) => ({ ...before, retriedAs: retry }));
    }
    default:
      return unreachable(entry);
  }
}

function settle(doubt: AskedDoubt, entry: Extract<DoubtEntry, { readonly type: 'doubt-settled' }> & Stamp): AskedDoubt {
  if (doubt.standing.status !== 'pending') throw new BrokenJournalError(`settles doubt ${doubt.id} twice`);
  return { ...doubt, standing: standingOf(entry) };
}

function withDoubt(state: RunState, id: ApprovalId, change: (doubt: AskedDoubt) => AskedDoubt): RunState {
  const doubt = state.doubts.get(id);
  if (doubt === undefined) throw new BrokenJournalError(`speaks of doubt ${id}, which was never asked`);
  return { ...state, doubts: new Map([...state.doubts, [id, change(doubt)]]) };
}

export function standingOf({ how, by, said, atMs }: DoubtSettled & { readonly atMs: number }): DoubtStanding {
  switch (how) {
    case 'finished':
    case 'expired':
    case 'withdrawn':
      return { status: how };
    default:
      return by === undefined ? { status: 'withdrawn' } : { status: how, by, atMs, ...given({ said }) };
  }
}
