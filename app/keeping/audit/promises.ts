import { unreachable } from '../../../interventions/index.ts';
import { type EntryBody, isOfQuestion } from '../../journal/index.ts';
import { endCall, startCall } from './calls.ts';
import { askApproval, countYes, decideApproval, hearQuestion, settleApproval, voidApproval } from './questions.ts';
import { newRun, type RunSoFar } from './so-far.ts';

/** An entry that may not stand at its place, and why. */
export interface BrokenPromise {
  readonly position: number;
  readonly says: string;
}

/**
 * Reads the entries of a run and names each that breaks a promise: no start without a yes for exactly that call and digest,
 * one start for each call, one final state for each question, nothing after the end. It shares no code
 * with the functions that write journals, so that a mistake there is not repeated here.
 */
export function brokenPromises(entries: readonly EntryBody[]): readonly BrokenPromise[] {
  const run = newRun();
  const broken: BrokenPromise[] = [];
  for (const [position, entry] of entries.entries()) {
    const says = whatBreaks(run, entry);
    if (says !== undefined) broken.push({ position, says });
  }
  return broken;
}

/** Applies one entry to `run` and returns what that entry breaks. */
function whatBreaks(run: RunSoFar, entry: EntryBody): string | undefined {
  if (isOfQuestion(entry)) return hearQuestion(run, entry);
  switch (entry.type) {
    case 'run-started':
      run.requester = entry.requester;
      return undefined;
    case 'run-finished':
    case 'run-stopped':
      if (run.over) return 'ends the run a second time';
      run.over = true;
      return undefined;
    case 'call-asked':
      return askApproval(run, entry);
    case 'call-decided':
      return decideApproval(run, entry);
    case 'yes-counted':
    case 'yes-dropped':
      return countYes(run, entry.approval);
    case 'precondition-changed':
    case 'rules-changed':
      return voidApproval(run, entry.approval);
    case 'call-expired':
    case 'call-cancelled':
      return settleApproval(run, entry.approval, 'no');
    case 'call-started':
      return startCall(run, entry);
    case 'call-finished':
      return endCall(run, entry, 'finished');
    case 'call-unknown':
      return endCall(run, entry, 'unknown');
    case 'person-said':
    case 'guided':
    case 'turn-answered':
    case 'post-begun':
    case 'posted':
    case 'line-shown':
    case 'reply-begun':
    case 'feedback-given':
    case 'reply-dropped':
    case 'calls-listed':
    case 'card-lost':
    case 'card-posted':
    case 'card-painted':
    case 'press-refused':
    case 'call-referred':
    case 'call-reminded':
    case 'copies-found':
    case 'copies-painted':
    case 'call-judged':
    case 'trust-ended':
    case 'trust-over':
    case 'asked-again':
    case 'call-answered':
    case 'unheard':
    case 'sealed':
      return undefined;
    default:
      return unreachable(entry);
  }
}
