import { canonical } from './canonical.ts';
import { clone } from './copy.ts';
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
  const { hash, maxRecords = 10_000, proceeds = true } = parts;
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
  for (const [index, { hash: written, ...record }] of records.entries()) {
    if (hash(canonical(record)) !== written) return { type: 'broken', number: record.number, because: 'changed' };
    const before = records[index - 1];
    if (before === undefined) continue;
    if (before.hash !== record.previous || before.number + 1 !== record.number) {
      return { type: 'broken', number: record.number, because: 'missing' };
    }
  }
  return { type: 'intact' };
}
