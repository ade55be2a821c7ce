import { describe, expect, it } from 'vitest';
import {
  createAuditLog,
  guide,
  type Handler,
  HumanInTheLoop,
  proceed,
  verifyAudit,
} from '../../../../interventions/index.ts';
import { call, loop, scriptedModel, sha256, witness } from '../../../support/scripted-model.ts';

async function audited(input = {}) {
  const log = createAuditLog({ hash: sha256 });
  const gate = new HumanInTheLoop({
    allowedTools: ['free'],
    ask: (_prompt, { toolUse }) => ({
      decision: toolUse.name === 'yes' ? 'approve' : 'deny',
      approver: 'BEN',
      comment: 'so',
    }),
  });
  const watch: Handler = { name: 'watch', afterToolCall: () => proceed() };
  await loop({
    model: scriptedModel([call('free', input), call('yes', input), call('no', input)], 'Done.'),
    tools: ['free', 'yes', 'no'].map((name) => witness(name)),
    interventions: [gate, watch],
    executor: 'sequential',
    audit: log.sink,
    invocationState: { requester: 'ANN', thread: 'T1' },
  });
  return log.records();
}

describe('the audit', () => {
  it('has one record for each decision, each answer, each start and end, and the outcome (U-01)', async () => {
    const records = await audited();

    expect(
      // Siblings go on at their own pace, so only what happened is compared, and not when.
      records
        .map(({ kind, handler, action, tool, answer }) =>
          [kind, tool ?? handler, answer ?? action].filter(Boolean).join(' '),
        )
        .sort(),
    ).toEqual([
      'answer no person',
      'answer yes approved',
      'decision free proceed',
      'decision no confirm',
      'decision watch proceed',
      'decision watch proceed',
      'decision watch proceed',
      'decision yes confirm',
      'end free success',
      'end no refused',
      'end yes success',
      'outcome finished',
      'start free',
      'start yes',
    ]);
    expect(records.find(({ kind }) => kind === 'answer')).toMatchObject({
      approvers: ['BEN'],
      requester: 'ANN',
      conversation: 'T1',
    });
    expect(records.find(({ kind }) => kind === 'start')).toMatchObject({ binding: 'same', inputHash: sha256('{}') });
  });

  it('has records of warnings, failures and of a run that failed (U-01)', async () => {
    const log = createAuditLog({ hash: sha256, proceeds: false });
    // The types forbid this; the record is about what slips through.
    const late = { name: 'late', afterToolCall: () => guide('too late') } as unknown as Handler;
    const failing: Handler = {
      name: 'failing',
      onError: 'deny',
      beforeToolCall: () => {
        throw new Error('broken');
      },
    };
    const model = scriptedModel([call('t')], new Error('overloaded'));
    await loop({ model, tools: [witness('t')], interventions: [failing, late], audit: log.sink }).catch(() => {});

    expect(log.records().map(({ kind, handler, action }) => [kind, handler, action].filter(Boolean).join(' '))).toEqual(
      [
        'warning failing',
        'failure failing failed',
        'decision late guide',
        'warning late guide',
        'end denied',
        'outcome failed',
      ],
    );
  });

  it('gives the reason, and names no person when none is known (U-01)', async () => {
    const log = createAuditLog({ hash: sha256 });
    const why: Handler = {
      name: 'why',
      beforeModelCall: () => guide('be kind'),
      afterModelCall: () => proceed({ reason: 'fine' }),
    };
    const classifier = () => ({ requiresHumanInTheLoop: true, reason: 'It deletes things.' });
    const gate = new HumanInTheLoop({ classifier, ask: () => true });
    await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t')],
      interventions: [why, gate],
      audit: log.sink,
    });
    const reasons = log.records().map(({ action, reason }) => [action, reason]);

    expect(reasons).toContainEqual(['guide', 'be kind']);
    expect(reasons).toContainEqual(['proceed', 'fine']);
    expect(log.records().find(({ action }) => action === 'confirm')).toMatchObject({ reason: 'It deletes things.' });
    expect(log.records().find(({ kind }) => kind === 'answer')).toMatchObject({ answer: 'approved', approvers: [] });
    expect(log.records().find(({ kind }) => kind === 'outcome')).not.toHaveProperty('requester');
  });

  it('holds no secrets, at any depth (U-02)', async () => {
    const records = await audited({ to: 'ops', headers: { Authorization: 'Bearer hunter2' }, api_key: 'hunter2' });

    expect(JSON.stringify(records)).not.toContain('hunter2');
    expect(JSON.stringify(records)).toContain('[redacted]');
  });

  it('verifies what was written, and finds what was changed or removed (U-03)', async () => {
    const records = await audited();
    const at = (index: number) => records[index]?.number ?? 0;

    expect(verifyAudit(records, sha256)).toEqual({ type: 'intact' });
    expect(verifyAudit(records.toSpliced(3, 1), sha256)).toEqual({ type: 'broken', number: at(4), because: 'missing' });
    const forged = records.map((record) => (record.kind === 'answer' ? { ...record, answer: 'forged' } : record));
    expect(verifyAudit(forged, sha256)).toEqual({
      type: 'broken',
      number: records.find(({ kind }) => kind === 'answer')?.number,
      because: 'changed',
    });
    expect(verifyAudit(records.slice(5), sha256)).toEqual({ type: 'intact' });
  });

  it('verifies after it was written as JSON, which has no negative zero (U-03)', async () => {
    const records = await audited({ amounts: [-0, 0.5, 1e300] });

    expect(verifyAudit(JSON.parse(JSON.stringify(records)), sha256)).toEqual({ type: 'intact' });
  });

  it('keeps a limited number of records', () => {
    const log = createAuditLog({ hash: sha256, maxRecords: 2 });
    for (const turn of [1, 2, 3]) log.sink({ atMs: 0, agent: 'a', turn, kind: 'outcome' });

    expect(log.records().map(({ number }) => number)).toEqual([2, 3]);
  });
});
