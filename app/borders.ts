import type { Timers } from '../interventions/index.ts';
import type { ModelFunction } from './agent/index.ts';
import type { ApprovalsDeps } from './approvals/index.ts';
import type { Admins, People } from './authority/index.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/index.ts';
import type { Log } from './log.ts';
import type { SchemaProblem } from './questions/index.ts';
import type { Redaction, Signer } from './secrets/index.ts';
import type { AtStep } from './step.ts';
import type { Effect, Store } from './store/index.ts';
import type { Surface } from './surface.ts';
import type { ToolTable } from './tools/index.ts';
import type { Work } from './work/index.ts';

/** What lies around the parts that decide. `opening/` makes it for a real process, and tests for a simulated one. */
export interface Borders {
  readonly config: Config;
  readonly store: Store;
  /** The same store for callers who wait for an answer: it fails soon instead of waiting through an outage. */
  readonly failFast: Store;
  readonly surface: Surface;
  /** Where the store is, as `placeOf` says it. */
  readonly place?: string;
  readonly people: People & Admins;
  readonly tools: ToolTable;
  /** How each tool server is reached, without its secrets: for the record. */
  readonly toolServers: readonly string[];
  readonly model: ModelFunction;
  /** Decides which process advances which thread. */
  readonly work: Pick<Work, 'kick' | 'hold'>;
  readonly redaction: Redaction;
  /** Signs the journals of workspaces. Absent: there is no key. */
  readonly sign?: Signer['sign'] | undefined;
  readonly schemaProblem: SchemaProblem;
  /** What a card shows of a call, answered by the views that draw it. */
  readonly views: Pick<
    ApprovalsDeps,
    'showsWholeInput' | 'showsWholeInRow' | 'isEditable' | 'offersTrust' | 'mayApproveTogether'
  >;
  /** Called with the effects of each append. */
  readonly appended: (effects: readonly Effect[]) => void;
  readonly entryId: () => string;
  /** As `LIMITS.foldedChars`, which counts if this is absent. */
  readonly foldedChars?: number;
  readonly clock: Clock;
  readonly elapsed: () => number;
  readonly timers: Timers;
  readonly log: Log;
  readonly step: AtStep;
}
