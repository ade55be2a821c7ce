import { describe, expect, it } from 'vitest';
import { type AskExtras, type AuditDraft, type Confirm, confirm, type Handler } from '../../interventions/index.ts';
import { agent, reply } from '../support/agent.ts';
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

  it('end with the refusal of a person, also where an earlier handler fails because its question is given up (BEY-40)', async () => {
    const warnings: unknown[] = [];
    const waits = (_prompt: string, { signal }: AskExtras) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))));
    const outcome = await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t')],
      interventions: [{ ...asks('early', { ask: waits }), onError: 'deny' }, asks('late', { ask: () => false })],
      warn: (warning) => void warnings.push(warning),
      profile: 'strict',
    });

    expect(resultsOf(outcome.state.messages)[0]).toContain('CONFIRMATION_FAILED: A person refused');
    expect(warnings).toEqual([]);
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

  it.each(['askAgain', 'deny'] as const)(
    'are answered for one input: an edit by one person is put to the other, or ends the call (%s) (BEY-2, C-10)',
    async (whenChanged) => {
      const tool = witness('t');
      const shows = (name: string): Handler => ({
        name,
        beforeToolCall: (event) => confirm(`${name} ${JSON.stringify(event.effective().input)}`),
      });
      const asked = agent({
        model: scriptedModel([call('t', { to: 'test' })], 'Done.'),
        tools: [tool],
        interventions: [shows('one'), shows('two')],
        profile: 'strict',
        whenChanged,
      });
      const [one, two] = (await asked.invoke('go')).interrupts;
      const edit = { decision: 'approve', editedInput: { to: 'production' } };
      const { interrupts } = await asked.invoke([reply(one, true), reply(two, edit)]);

      expect(tool.runs).toEqual([]);
      expect(interrupts.map(({ reason }) => reason)).toEqual(whenChanged === 'deny' ? [] : ['one {"to":"production"}']);
      if (whenChanged === 'askAgain') await asked.invoke([reply(interrupts[0], true)]);
      expect(tool.runs).toEqual(whenChanged === 'deny' ? [] : [{ to: 'production' }]);
    },
  );
});

describe('a question that stands in line', () => {
  it.each([
    ['concurrent', 'of two calls'],
    ['sequential', 'of two calls'],
    ['concurrent', 'of two handlers'],
  ] as const)('is not put to people after an ask that throws (%s, %s) (BEY-1)', async (executor, of) => {
    const asked: string[] = [];
    const ask = (prompt: string) => {
      asked.push(prompt);
      throw new Error('gone');
    };
    const running = loop({
      model: scriptedModel(of === 'of two calls' ? [call('t', 1, 'a'), call('t', 2, 'b')] : [call('t')]),
      tools: [witness('t')],
      interventions: of === 'of two calls' ? [asks('one', { ask })] : [asks('one', { ask }), asks('two', { ask })],
      executor,
      limits: { parallelAsks: 1 },
    });

    await expect(running).rejects.toThrow('gone');
    expect(asked).toEqual(['one?']);
  });

  it('is not put to people in the place of one that was given up when another failed (BEY-1)', async () => {
    const asked: string[] = [];
    const ask = (prompt: string) => {
      asked.push(prompt);
      if (prompt === 'one?') throw new Error('gone');
      return new Promise(() => {});
    };
    const running = loop({
      model: scriptedModel([call('t', 1, 'a'), call('t', 2, 'b')]),
      tools: [witness('t')],
      interventions: [asks('one', { ask }), asks('two', { ask })],
      profile: 'strict',
      limits: { parallelAsks: 2 },
    });

    await expect(running).rejects.toThrow('gone');
    expect(asked).toEqual(['one?', 'two?']);
  });

  it('is put to people after an ask whose failure denies its call alone (C-12)', async () => {
    const asked: string[] = [];
    const ask = (prompt: string) => {
      if (asked.push(prompt) === 1) throw new Error('gone');
      return true;
    };
    const tool = witness('t');
    await loop({
      model: scriptedModel([call('t', 1, 'a'), call('t', 2, 'b')], 'Done.'),
      tools: [tool],
      interventions: [{ ...asks('one', { ask }), onError: 'deny' }],
      limits: { parallelAsks: 1 },
    });

    expect([asked.length, tool.runs]).toEqual([2, [2]]);
  });
});
