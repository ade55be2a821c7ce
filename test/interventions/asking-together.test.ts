import { describe, expect, it } from 'vitest';
import { type AuditDraft, type Confirm, confirm, type Handler } from '../../interventions/index.ts';
import { call, deferred, loop, resultsOf, scriptedModel, witness } from '../support/scripted-model.ts';

const asks = (name: string, options: Partial<Omit<Confirm, 'type' | 'prompt'>>): Handler => ({
  name,
  beforeToolCall: () => confirm(`${name}?`, options),
});

describe('several questions about one call', () => {
  it.each([
    ['no', [], 'error CONFIRMATION_FAILED'],
    ['yes', [{}], 'success t is done'],
  ])('do not end with an early yes while a late %s is open (C-10)', async (late, runs, result) => {
    const tool = witness('t');
    const answer = deferred<string>();
    const given: string[] = [];
    const running = loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [
        asks('early', { ask: () => true }),
        asks('late', {
          ask: async (_prompt, { signal }) => {
            const said = await answer.promise;
            given.push(signal.aborted ? 'not wanted any more' : said);
            return said;
          },
        }),
      ],
    });
    await new Promise(setImmediate);
    expect(tool.runs).toEqual([]);
    answer.resolve(late);
    const outcome = await running;

    expect(given).toEqual([late]);
    expect(tool.runs).toEqual(runs);
    expect(resultsOf(outcome.state.messages)[0]).toContain(`t-1: ${result}`);
  });

  it('name the people who approved, and no person when the answers name none (U-01)', async () => {
    const drafts: AuditDraft[] = [];
    await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t')],
      audit: (draft) => void drafts.push(draft),
      interventions: [
        asks('one', { ask: () => true }),
        asks('two', { ask: () => ({ decision: 'approve', approver: 'ben' }) }),
      ],
    });

    expect(drafts.find(({ kind }) => kind === 'answer')).toMatchObject({ answer: 'approved', approvers: ['ben'] });
  });

  it('may carry null as data, and have no end then (BEY-39)', async () => {
    const outcome = await loop({
      model: scriptedModel([call('t')]),
      tools: [witness('t')],
      interventions: [asks('one', { question: null })],
    });

    expect(outcome).toMatchObject({ type: 'interrupted', interrupts: [{ name: 'one' }] });
    expect(outcome.type === 'interrupted' && outcome.interrupts[0]).not.toHaveProperty('expiresAtMs');
  });
});
