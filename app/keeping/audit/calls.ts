import type { BodyOf } from '../../journal/index.ts';
import type { AskedOnRecord, BegunOnRecord, RunSoFar, StartOnRecord } from './so-far.ts';

export function startCall(run: RunSoFar, entry: BodyOf<'call-started'>): string | undefined {
  const why = whyNotStarted(run, entry);
  run.begun.set(entry.call, { ...entry, end: 'none' });
  return why;
}

function whyNotStarted(run: RunSoFar, start: StartOnRecord): string | undefined {
  const { call, grant, repeats } = start;
  if (run.over) return `starts call ${call} after the run was over`;
  const before = run.begun.get(call);
  if (before !== undefined && !(repeats === true && isSame(before, start))) return `starts call ${call} a second time`;
  switch (grant.type) {
    // Once people were asked about a call, only their yes lets it start.
    case 'open':
    case 'trust':
      return askedAbout(run, call) ? `starts call ${call} without the yes that people were asked for` : undefined;
    case 'approval':
      return whyNotApproved(run.approvals.get(grant.approval), start);
  }
}

const askedAbout = ({ approvals }: RunSoFar, call: string): boolean =>
  [...approvals.values()].some((approval) => approval.call === call);

function whyNotApproved(
  approval: AskedOnRecord | undefined,
  { call, tool, digest, precondition }: StartOnRecord,
): string | undefined {
  if (approval?.standing !== 'yes') return `starts call ${call} without a yes`;
  const { allowed } = approval;
  if (allowed.precondition !== precondition) return `starts call ${call} though the world was not as it was shown`;
  const same = approval.call === call && approval.tool === tool && allowed.digest === digest;
  return same ? undefined : `starts call ${call} with something else than was shown`;
}

/** A call that is safe to repeat may start again, unchanged, when its end is unknown. */
function isSame({ end, ...before }: BegunOnRecord, now: StartOnRecord): boolean {
  const sameGrant = JSON.stringify(before.grant) === JSON.stringify(now.grant);
  return end === 'unknown' && sameGrant && before.tool === now.tool && before.digest === now.digest;
}

export function endCall(
  { begun }: RunSoFar,
  { call, attempt }: { readonly call: string; readonly attempt: string },
  how: 'unknown' | 'finished',
): string | undefined {
  const start = begun.get(call);
  if (start?.attempt !== attempt) return `ends call ${call}, which this attempt has not started`;
  // After `unknown`, a process that was only slow may still write the outcome.
  if (start.end === 'finished' || start.end === 'told' || start.end === how) return `ends call ${call} a second time`;
  start.end = how;
  return undefined;
}

/** A person's choice ends a call of unknown outcome. Only that choice may put another call in its place. */
export function tellCall(
  { begun }: RunSoFar,
  call: string,
  { how, by, retry }: BodyOf<'doubt-settled'>,
): string | undefined {
  const start = begun.get(call);
  const chosen = how === 'happened' || how === 'skip' || how === 'retry';
  if (chosen && by === undefined) return `says what became of call ${call}, which no person chose`;
  if (chosen && start !== undefined) start.end = 'told';
  if ((how === 'retry') !== (retry !== undefined)) return `puts another call in the place of ${call} unasked`;
  return retry !== undefined && begun.has(retry)
    ? `puts ${retry} in the place of ${call}, and that has run`
    : undefined;
}
