import { describe, expect, it } from 'vitest';
import { type AuditDraft, createAuditLog, verifyAudit } from '../../interventions/index.ts';
import { sha256 } from '../support/scripted-model.ts';

const draft: AuditDraft = { atMs: 0, agent: 'a', turn: 1, kind: 'decision', action: 'proceed' };

describe('a log of records', () => {
  it('leaves out what only let a call pass, if it is told to, and nothing else (BEY-19)', () => {
    const log = createAuditLog({ hash: sha256, proceeds: false });
    for (const one of [draft, { ...draft, action: 'deny' }, { ...draft, kind: 'end' as const }]) log.sink(one);

    expect(log.records().map(({ kind, action }) => `${kind} ${action}`)).toEqual(['decision deny', 'end proceed']);
    expect(verifyAudit(log.records(), sha256)).toEqual({ type: 'intact' });
  });

  it('refuses a limit that is no number, because it would keep all records (BEY-19, BEY-40)', () => {
    expect(() => createAuditLog({ hash: sha256, maxRecords: Number.NaN })).toThrow('maxRecords is NaN. Give a number');
  });
});
