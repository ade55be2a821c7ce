import { given } from '../../../given.ts';
import type {
  Approval,
  CallOutcome,
  Decision,
  DoubtLookedUp,
  QuestionRecord,
  TextRef,
  UnheardRun,
} from '../../../records/index.ts';
import type { AskedApproval, AskedQuestion, StoredDecision } from '../asked.ts';
import type { CallState, RunState } from '../state.ts';
import { outdatedBy } from './approvals.ts';
import { progressOf } from './quorum.ts';
import { isSaidAbove } from './said-above.ts';
import { alsoSteeredBy } from './steering.ts';
import { suggestedRule } from './suggested-rule.ts';

/** The record of a run whose thread could not be told how it ended. `undefined` for every other run. */
export function unheardRun({ unheard, run, thread, requester }: RunState): UnheardRun | undefined {
  if (unheard === false) return undefined;
  const { cause, atMs } = unheard;
  return { run, thread, requester, atMs, ...given({ cause }) };
}

/** The record of a question, with what was looked up for it. */
export function toQuestion(
  { run, thread, requester }: RunState,
  asked: AskedQuestion,
  found: Partial<DoubtLookedUp> = {},
): QuestionRecord {
  const { kind, call: _call, lostCards: _lost, painted: _painted, refusedChoices: _refused, ...rest } = asked;
  // The fold keeps the fields of the question's own kind, which are those of its record.
  return { kind, asks: { ...rest, run, thread, requester, ...found } } as QuestionRecord;
}

/** The record of an approval, with its long input looked up and the outcome of its call. */
export function toApproval(state: RunState, asked: AskedApproval, item: (at: number) => string | undefined): Approval {
  const {
    standing,
    call,
    painted: _painted,
    paintedAt: _paintedAt,
    refusedPresses: _presses,
    definition: _definition,
    reminded: _reminded,
    perhapsTold: _perhapsTold,
    copies: _copies,
    copiesShow: _copiesShow,
    news: _news,
    lostCards: _lostCards,
    remindersAtMs: _remindersAtMs,
    policy: _policy,
    input: _input,
    shown,
    approvedInARow: _approvedInARow,
    yeses,
    dropped,
    ...rest
  } = asked;
  const progress = progressOf(asked.rule, yeses, dropped);
  const input = textOf(shown, item);
  const suggestion = suggestedRule({ ...asked, requester: state.requester, input });
  const common = {
    ...rest,
    ...given({ progress, suggestion }),
    run: state.run,
    firstEntry: state.firstEntry,
    thread: state.thread,
    requester: state.requester,
    alsoSteeredBy: alsoSteeredBy(state, call),
    ...(isSaidAbove(state, asked) ? { saidAbove: true as const } : {}),
    input,
  };
  const id = 'replacedBy' in standing ? standing.replacedBy : undefined;
  const replaced = given({ replacedBy: id && { id, ...given({ card: state.approvals.get(id)?.card }) } });
  switch (standing.status) {
    case 'decided': {
      const decision = toDecision(standing.decision, item);
      if (decision.verdict === 'deny') return { ...common, status: 'denied', decision };
      if (decision.verdict === 'answer') return { ...common, status: 'answered', decision };
      const { outdated, trustEnded } = standing;
      const outcome = outcomeOf(state, asked, state.calls.get(call));
      const granted = { ...common, ...replaced, ...given({ outdated }), decision, outcome };
      if (decision.verdict === 'approve') return { ...granted, status: 'approved' };
      return { ...granted, ...given({ trust: decision.trust, trustEnded }), status: 'trusted' };
    }
    case 'cancelled': {
      const { replacedBy: _replacedBy, ...cancelled } = standing;
      return { ...common, ...cancelled, ...replaced };
    }
    case 'pending':
    case 'expired':
      return { ...common, ...standing };
  }
}

function toDecision({ edit, ...decision }: StoredDecision, item: (at: number) => string | undefined): Decision {
  if (edit === undefined) return decision;
  const { digest, summary, precondition, hides, input, shown = input } = edit;
  return {
    ...decision,
    edit: {
      input: textOf(shown, item),
      digest,
      summary,
      ...given({ precondition, hides }),
    },
  };
}

/** Returns an empty text for an item that is gone: a card then shows a gap, and no digest matches it. */
export function textOf(text: TextRef, item: (at: number) => string | undefined): string {
  return 'text' in text ? text.text : (item(text.at) ?? '');
}

function outcomeOf(state: RunState, asked: AskedApproval, call: CallState | undefined): CallOutcome {
  const execution = call?.execution ?? { type: 'none' };
  if (execution.type !== 'none') return outcomeOfBegun(execution);
  // Approved, but will not run: the approval is void or replaced, the run ended, or the call was answered otherwise.
  const passedBy =
    outdatedBy(asked) !== undefined ||
    state.status.type !== 'running' ||
    call?.answer !== undefined ||
    call?.approval !== asked.id;
  return { type: passedBy ? 'not-applied' : 'waiting' };
}

/** How a call came out that was started. */
export function outcomeOfBegun(execution: Exclude<CallState['execution'], { readonly type: 'none' }>): CallOutcome {
  switch (execution.type) {
    case 'started':
      return { type: 'running' };
    case 'finished':
      if (execution.ok) return { type: 'ran', ms: execution.ms };
      return { type: 'failed', ms: execution.ms, ...given({ limitMs: execution.limitMs, stopped: execution.stopped }) };
    case 'unknown':
      return { type: 'unknown', ...given({ limitMs: execution.limitMs }) };
  }
}
