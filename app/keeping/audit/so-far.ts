import type { StartGrant } from '../../journal/index.ts';
import type { ApprovalId, UserId } from '../../records/index.ts';

/** What the entries of a run say up to one position. */
export interface RunSoFar {
  readonly approvals: Map<ApprovalId, AskedOnRecord>;
  readonly questions: Map<ApprovalId, { readonly kind: string; readonly call: string; settled: boolean }>;
  readonly begun: Map<string, BegunOnRecord>;
  requester: UserId | undefined;
  over: boolean;
}

export interface AskedOnRecord {
  readonly call: string;
  readonly tool: string;
  readonly digest: string;
  /** What the yes allows: the call as asked, or as the approver edited it. */
  allowed: { readonly digest: string; readonly precondition: string | undefined };
  standing: 'pending' | 'yes' | 'no' | 'outdated';
}

export interface StartOnRecord {
  readonly call: string;
  readonly tool: string;
  readonly digest: string;
  readonly grant: StartGrant;
  readonly precondition?: string | undefined;
  readonly repeats?: true | undefined;
}

export interface BegunOnRecord extends StartOnRecord {
  readonly attempt: string;
  /** `told`: a person said what became of it. */
  end: 'none' | 'unknown' | 'finished' | 'told';
}

export function newRun(): RunSoFar {
  return {
    approvals: new Map(),
    questions: new Map(),
    begun: new Map(),
    requester: undefined,
    over: false,
  };
}
