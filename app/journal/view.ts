import type { Approval, CallOutcome, Decision } from '../records.ts';
import type { AskedApproval, CallState, RunState, StoredDecision } from './state.ts';

/** The record that every view draws: an approval, with its long input looked up and the outcome of its call. */
export function toApproval(state: RunState, asked: AskedApproval, item: (at: number) => string | undefined): Approval {
  const {
    standing,
    call,
    painted: _painted,
    refusedPresses: _presses,
    definition: _definition,
    reminded: _reminded,
    remindAtMs: _remindAtMs,
    input,
    ...rest
  } = asked;
  const common = {
    ...rest,
    run: state.run,
    thread: state.thread,
    requester: state.requester,
    input: 'text' in input ? input.text : (item(input.at) ?? ''),
  };
  switch (standing.status) {
    case 'pending':
      return { ...common, status: 'pending' };
    case 'decided': {
      const decision = toDecision(standing.decision, item);
      if (decision.verdict === 'deny') return { ...common, status: 'denied', decision };
      const status = decision.verdict === 'trust' ? 'trusted' : 'approved';
      const given = decision.trust === undefined ? {} : { trust: decision.trust };
      return { ...common, ...given, status, decision, outcome: outcomeOf(state, asked, state.calls.get(call)) };
    }
    case 'expired':
      return { ...common, status: 'expired' };
    case 'cancelled': {
      const { cause, by } = standing;
      return { ...common, status: 'cancelled', cause, ...(by === undefined ? {} : { by }) };
    }
  }
}

function toDecision({ edit, ...decision }: StoredDecision, item: (at: number) => string | undefined): Decision {
  if (edit === undefined) return decision;
  const input = 'text' in edit.input ? edit.input.text : (item(edit.input.at) ?? '');
  const { precondition, ...rest } = edit;
  return { ...decision, edit: { ...rest, input, ...(precondition === undefined ? {} : { precondition }) } };
}

function outcomeOf(state: RunState, asked: AskedApproval, call: CallState | undefined): CallOutcome {
  const execution = call?.execution ?? { type: 'none' };
  switch (execution.type) {
    case 'started':
      return { type: 'running' };
    case 'finished':
      return { type: execution.ok ? 'ran' : 'failed', ms: execution.ms };
    case 'unknown':
      return { type: 'unknown' };
    case 'none': {
      // Said yes to, and then never run: the run ended first, or the call was answered in another way.
      const passedBy =
        asked.outdated === true ||
        state.status.type !== 'running' ||
        call?.answer !== undefined ||
        call?.approval !== asked.id;
      return { type: passedBy ? 'not-applied' : 'waiting' };
    }
  }
}
