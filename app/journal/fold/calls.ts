import { unreachable } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { EntryOf } from '../facts/entries.ts';
import { BrokenJournalError, withApproval, withCall, withLine, withUnused } from './changes.ts';
import type { Begun, CallState, RunState } from './state.ts';

/** Entries about the start, end and answer of a call. */
type CallEntry = EntryOf<'call-answered' | 'call-finished' | 'call-started' | 'call-unknown'>;

export function foldCall(state: RunState, entry: CallEntry): RunState {
  switch (entry.type) {
    case 'call-started': {
      const { attempt, digest, definition, grant, tool, atMs: startedAtMs } = entry;
      return shown(
        withCall(state, entry.call, (call) => {
          const before = call.execution.type === 'none' ? undefined : call.execution;
          const starts = (before?.starts ?? 0) + 1;
          // A repeated call runs on the same grant, and its second start need not say again who gave the trust.
          const { trusted = before?.trusted } = entry;
          const started = {
            startedAtMs,
            attempt,
            digest,
            definition,
            grant,
            tool,
            starts,
            ...given({ trusted }),
          };
          return { ...call, execution: { type: 'started', ...started } };
        }),
        entry.call,
      );
    }
    case 'call-finished': {
      const { ok, ms, item, limitMs, stopped } = entry;
      return shown(
        withCall(state, entry.call, (call) => ({
          ...call,
          execution: { ...begun(call), type: 'finished', ok, ms, item, ...given({ limitMs, stopped }) },
          // What the model was told before stays its answer: the model has gone on from there.
          answer: call.answer ?? item,
        })),
        entry.call,
      );
    }
    case 'call-unknown':
      return shown(
        withCall(state, entry.call, (call) => ({
          ...call,
          execution: { ...begun(call), type: 'unknown', attempt: entry.attempt, ...given({ limitMs: entry.limitMs }) },
        })),
        entry.call,
      );
    case 'call-answered':
      return withUnused(
        withCall(state, entry.call, (call) => ({ ...call, answer: entry.item })),
        ({ call }) => call === entry.call,
      );
    default:
      return unreachable(entry);
  }
}

/** The card of the call's approval, or the line of its trust, shows its outcome, so it has to be repainted. */
function shown(before: RunState, call: string): RunState {
  const { approval: id, execution } = before.calls.get(call) ?? {};
  const grant = execution === undefined || execution.type === 'none' ? undefined : execution.grant;
  const state = grant?.type === 'trust' ? withLine(before, grant.grant, { news: before.version }) : before;
  return id === undefined ? state : withApproval(state, id, (approval) => ({ ...approval, revision: state.version }));
}

function begun({ execution }: CallState): Begun {
  if (execution.type === 'none') throw new BrokenJournalError('ends a call that was never started');
  const { attempt, startedAtMs, digest, definition, grant, trusted, tool, starts } = execution;
  return { attempt, startedAtMs, digest, definition, grant, ...given({ trusted }), tool, starts };
}
