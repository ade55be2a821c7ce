import { unreachable } from '../../../interventions/index.ts';
import type { EntryBody, StartGrant } from '../../journal/index.ts';
import type { ApprovalId, UserId } from '../../records/index.ts';

/** An entry that no run may contain at its place, in words. */
export interface BrokenPromise {
  readonly position: number;
  readonly says: string;
}

interface Asked {
  readonly call: string;
  readonly tool: string;
  readonly digest: string;
  /** What the yes is good for: as asked, or as the person changed it. */
  allowed: { readonly digest: string; readonly precondition: string | undefined };
  standing: 'pending' | 'yes' | 'no' | 'outdated';
}

interface Start {
  readonly call: string;
  readonly tool: string;
  readonly digest: string;
  readonly grant: StartGrant;
  readonly precondition?: string | undefined;
  readonly repeats?: true | undefined;
}

interface Begun extends Start {
  readonly attempt: string;
  /** `told`: a person said what became of it. */
  end: 'none' | 'unknown' | 'finished' | 'told';
}

/**
 * Reads a run's entries and names each that breaks what was promised: no start without a yes for exactly that call and
 * digest, one start for each call, one final state for each approval, inquiry and doubt, nothing after the end. It shares no code with
 * what writes journals, so that a mistake there is not repeated here.
 */
export function brokenPromises(entries: readonly EntryBody[]): readonly BrokenPromise[] {
  const approvals = new Map<ApprovalId, Asked>();
  const inquiries = new Map<ApprovalId, 'open' | 'settled'>();
  const doubts = new Map<ApprovalId, { readonly call: string; settled: boolean }>();
  const begun = new Map<string, Begun>();
  const broken: BrokenPromise[] = [];
  let requester: UserId | undefined;
  let over = false;

  const look = (entry: EntryBody): string | undefined => {
    switch (entry.type) {
      case 'call-asked':
        if (over) return `asks about call ${entry.call} after the run was over`;
        if (approvals.has(entry.approval)) return `asks approval ${entry.approval} a second time`;
        if (begun.has(entry.call)) return `asks about call ${entry.call}, which has been started`;
        approvals.set(entry.approval, {
          ...entry,
          allowed: { digest: entry.digest, precondition: entry.precondition?.digest },
          standing: 'pending',
        });
        return undefined;
      case 'call-decided': {
        const says = settle(entry.approval, entry.verdict === 'approve' || entry.verdict === 'trust' ? 'yes' : 'no');
        const approval = approvals.get(entry.approval);
        if (approval !== undefined && entry.edit !== undefined) {
          const { digest, precondition } = entry.edit;
          approval.allowed = { digest, precondition: precondition?.digest };
        }
        return says;
      }
      case 'precondition-changed':
      case 'rules-changed': {
        const approval = approvals.get(entry.approval);
        if (approval?.standing !== 'yes') return `voids approval ${entry.approval}, which nobody has said yes to`;
        if (begun.has(approval.call)) return `voids approval ${entry.approval} after its call was started`;
        approval.standing = 'outdated';
        return undefined;
      }
      case 'call-expired':
      case 'call-cancelled':
        return settle(entry.approval, 'no');
      case 'call-started': {
        const why = whyNotStarted(entry);
        begun.set(entry.call, { ...entry, end: 'none' });
        return why;
      }
      case 'call-finished':
        return end(entry, 'finished');
      case 'call-unknown':
        return end(entry, 'unknown');
      case 'yes-counted':
      case 'yes-dropped': {
        const open = approvals.get(entry.approval)?.standing === 'pending';
        return open ? undefined : `counts yeses of approval ${entry.approval}, which is not open`;
      }
      case 'run-finished':
      case 'run-stopped':
        if (over) return 'ends the run a second time';
        over = true;
        return undefined;
      case 'inquiry-asked':
        if (over || begun.get(entry.call)?.end !== 'none') return `asks for call ${entry.call}, which does not run`;
        if (inquiries.has(entry.inquiry)) return `asks inquiry ${entry.inquiry} a second time`;
        inquiries.set(entry.inquiry, 'open');
        return undefined;
      case 'inquiry-settled': {
        const before = inquiries.get(entry.inquiry);
        inquiries.set(entry.inquiry, 'settled');
        if (before === undefined) return `settles inquiry ${entry.inquiry}, which nobody was asked`;
        if (before === 'settled') return `settles inquiry ${entry.inquiry} a second time`;
        const answers = entry.how === 'answered' || entry.how === 'declined';
        return answers && entry.by !== requester ? `takes an answer to ${entry.inquiry} from somebody else` : undefined;
      }
      case 'doubt-asked':
        if (over || begun.get(entry.call)?.end !== 'unknown')
          return `asks how call ${entry.call} ended, which is known`;
        if (doubts.has(entry.doubt)) return `asks doubt ${entry.doubt} a second time`;
        doubts.set(entry.doubt, { call: entry.call, settled: false });
        return undefined;
      case 'doubt-settled': {
        const doubt = doubts.get(entry.doubt);
        if (doubt === undefined) return `settles doubt ${entry.doubt}, which nobody was asked`;
        if (doubt.settled) return `settles doubt ${entry.doubt} a second time`;
        doubt.settled = true;
        return tell(doubt.call, entry);
      }
      case 'doubt-posted':
      case 'doubt-painted':
      case 'doubt-refused':
      case 'inquiry-posted':
      case 'inquiry-painted':
        return undefined;
      case 'run-started':
        requester = entry.requester;
        return undefined;
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
      case 'asked-again':
      case 'call-answered':
      case 'unheard':
      case 'sealed':
        return undefined;
      default:
        return unreachable(entry);
    }
  };

  const settle = (id: ApprovalId, standing: 'yes' | 'no'): string | undefined => {
    const approval = approvals.get(id);
    if (approval === undefined) return `settles approval ${id}, which nobody was asked`;
    if (approval.standing !== 'pending') return `settles approval ${id} a second time`;
    approval.standing = standing;
    return undefined;
  };

  /** A person's word is the end of a call, and needs a person; nothing else may put another call in its place. */
  const tell = (
    call: string,
    { how, by, retry }: Extract<EntryBody, { readonly type: 'doubt-settled' }>,
  ): string | undefined => {
    const start = begun.get(call);
    const chosen = how === 'happened' || how === 'skip' || how === 'retry';
    if (chosen && by === undefined) return `says what became of call ${call}, and nobody chose it`;
    if (chosen && start !== undefined) start.end = 'told';
    if ((how === 'retry') !== (retry !== undefined)) return `puts another call in the place of ${call} unasked`;
    return retry !== undefined && begun.has(retry)
      ? `puts ${retry} in the place of ${call}, and that has run`
      : undefined;
  };

  const whyNotStarted = ({ call, grant, tool, digest, precondition, repeats }: Start): string | undefined => {
    if (over) return `starts call ${call} after the run was over`;
    const before = begun.get(call);
    if (before !== undefined && !(repeats === true && isSame(before, { call, grant, tool, digest }))) {
      return `starts call ${call} a second time`;
    }
    const asked = [...approvals].filter(([, approval]) => approval.call === call);
    switch (grant.type) {
      case 'open':
        return asked.length > 0 ? `starts call ${call} as if it were free, though people were asked` : undefined;
      case 'trust':
        // A person's no on the very bytes weighs more than any standing yes.
        return asked.some(([, { standing, digest: shown }]) => standing === 'no' && shown === digest)
          ? `starts call ${call} on trust, though it was not allowed`
          : undefined;
      case 'approval': {
        const approval = approvals.get(grant.approval);
        if (approval?.standing !== 'yes') return `starts call ${call}, and nobody has said yes`;
        const { allowed } = approval;
        if (allowed.precondition !== precondition)
          return `starts call ${call} though the world was not as it was shown`;
        const same = approval.call === call && approval.tool === tool && allowed.digest === digest;
        return same ? undefined : `starts call ${call} with something else than was shown`;
      }
    }
  };

  const end = (
    { call, attempt }: { readonly call: string; readonly attempt: string },
    how: 'unknown' | 'finished',
  ): string | undefined => {
    const start = begun.get(call);
    if (start?.attempt !== attempt) return `ends call ${call}, which this attempt has not started`;
    // The process that was only slow may still say how it came out.
    if (start.end === 'finished' || start.end === 'told' || start.end === how) return `ends call ${call} a second time`;
    start.end = how;
    return undefined;
  };

  for (const [position, entry] of entries.entries()) {
    const says = look(entry);
    if (says !== undefined) broken.push({ position, says });
  }
  return broken;
}

/** What does no harm when it is done twice may be begun again, to the letter, when nobody saw its end. */
function isSame({ end, ...before }: Begun, now: Start): boolean {
  const grants = JSON.stringify(before.grant) === JSON.stringify(now.grant);
  return end === 'unknown' && grants && before.tool === now.tool && before.digest === now.digest;
}
