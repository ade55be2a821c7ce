import { canonical } from './canonical.ts';
import { clone } from './copy.ts';
import { ConfigurationError, checkHash, checkNumbers, checkOptions } from './errors.ts';
import type { Json } from './messages.ts';

/** One thing that was decided, tried or seen. Data only. */
export interface AuditRecord {
  readonly number: number;
  readonly atMs: number;
  readonly agent: string;
  readonly conversation?: string;
  readonly requester?: string;
  readonly turn: number;
  readonly kind: 'decision' | 'question' | 'answer' | 'start' | 'end' | 'warning' | 'failure' | 'outcome';
  readonly event?: string;
  readonly handler?: string;
  readonly action?: string;
  readonly reason?: string;
  readonly durationMs?: number;
  readonly tool?: string;
  readonly toolUseId?: string;
  /** The hash of the whole input. `preview` is redacted. */
  readonly inputHash?: string;
  readonly preview?: Json;
  readonly answer?: string;
  readonly approvers?: readonly string[];
  /** Whether the call that runs is the one that was approved. */
  readonly binding?: 'same' | 'changed';
  /** The hash of the record before, so that a missing record is noticed. */
  readonly previous: string;
  readonly hash: string;
}

export type AuditDraft = Omit<AuditRecord, 'number' | 'previous' | 'hash'>;

/** Takes records. Must not throw: the sink itself reports what it cannot record. */
export type AuditSink = (draft: AuditDraft) => void;

export interface AuditLog {
  readonly sink: AuditSink;
  readonly records: () => readonly AuditRecord[];
}

/** A bounded list in memory, each record chained to the one before. */
export function createAuditLog(parts: {
  readonly hash: (text: string) => string;
  readonly maxRecords?: number;
  /** Whether to keep records of handlers that only let a call pass. Default yes. */
  readonly proceeds?: boolean;
}): AuditLog {
  checkOptions('createAuditLog', parts, { hash: true, maxRecords: true, proceeds: 'true or false' });
  const { hash, maxRecords = 10_000, proceeds = true } = parts;
  checkHash('createAuditLog()', hash);
  checkNumbers({ maxRecords }, false);
  const kept: AuditRecord[] = [];
  let last = { number: 0, hash: '' };
  return {
    sink: (draft) => {
      if (!proceeds && draft.kind === 'decision' && draft.action === 'proceed') return;
      const record = clone({ ...draft, number: last.number + 1, previous: last.hash }, asWritten);
      const chained: AuditRecord = { ...record, hash: hash(canonical(record)) };
      kept.push(chained);
      if (kept.length > maxRecords) kept.shift();
      last = chained;
    },
    records: () => [...kept],
  };
}

/** JSON writes a negative zero as 0. The hash is that of the record as a reader finds it. */
function asWritten(value: unknown): unknown {
  return value === 0 ? 0 : value;
}

export type AuditCheck =
  | { readonly type: 'intact' }
  | { readonly type: 'broken'; readonly number: number; readonly because: 'changed' | 'missing' };

/** Checks that no record was changed and none is missing. The first record may follow records that were dropped. */
export function verifyAudit(records: readonly AuditRecord[], hash: (text: string) => string): AuditCheck {
  checkHash('verifyAudit()', hash);
  if (!Array.isArray(records)) {
    throw new ConfigurationError(
      'verifyAudit() takes a list of records. Give it records() of the log, or parse its JSON.',
    );
  }
  const read: readonly (Partial<AuditRecord> | null)[] = records;
  for (const [index, one] of read.entries()) {
    // A file may hold anything in place of a record.
    const { hash: written, ...record } = one ?? {};
    const { number = (read[index - 1]?.number ?? index) + 1 } = record;
    if (hash(canonical(record)) !== written) return { type: 'broken', number, because: 'changed' };
    const before = read[index - 1];
    if (before === undefined) continue;
    if (before?.hash !== record.previous || (before?.number ?? 0) + 1 !== number) {
      return { type: 'broken', number, because: 'missing' };
    }
  }
  return { type: 'intact' };
}
