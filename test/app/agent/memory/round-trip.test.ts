import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileSession } from '../../../../app/agent/alone/memory/file-session.ts';
import { createMemorySession } from '../../../../app/agent/alone/memory/session.ts';
import { ConcurrencyError, HumanInTheLoop } from '../../../../interventions/index.ts';
import { agent, linesOf } from '../../../support/agent.ts';
import { call, says, scriptedModel, witness } from '../../../support/scripted-model.ts';
import { type Counted, travel, traveller } from './fixtures/journey.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'round-trip-'));
});
afterAll(() => rm(directory, { recursive: true }));

const nothing = (): Counted => ({ modelCalls: 0, runs: [] });

/** The same journey by one agent that never leaves its process. */
async function atHome() {
  const counted = nothing();
  const { agent: end, pauses } = await travel(traveller(counted), (paused) => paused);
  return { ...counted, pauses, messages: end.messages, appState: end.appState.toJSON() };
}

describe('a conversation that is saved at every pause', () => {
  it('serves as the reference for the other ways (G-11)', async () => {
    const home = await atHome();

    expect(home).toMatchObject({ pauses: 4, modelCalls: 4, appState: { 'hitl:trust': [expect.anything()] } });
    expect(home.runs).toEqual([
      'look {}',
      'deploy {"to":1}',
      'choose {}',
      'choose {}',
      'deploy {"to":2}',
      'deploy {"to":3}',
    ]);
    expect(linesOf(home.messages)).toEqual([
      'user: go',
      'assistant: [look l1] [deploy d1] [drop x1]',
      'user: [l1 success] [d1 success] [x1 error]',
      'assistant: [choose c1]',
      'user: [c1 success]',
      'assistant: [deploy d2] [deploy d3]',
      'user: [d2 success] [d3 success]',
      'assistant: Done.',
    ]);
  });

  it('gives the same result from snapshots that were JSON in between (G-11)', async () => {
    const counted = nothing();
    const again = await travel(traveller(counted), (paused) =>
      traveller(counted, { snapshot: JSON.parse(JSON.stringify(paused.snapshot())) }),
    );
    const { pauses, ...home } = await atHome();

    expect(again.pauses).toBe(pauses);
    expect({ ...counted, messages: again.agent.messages, appState: again.agent.appState.toJSON() }).toEqual(home);
  });

  it.each([
    ['in memory', createMemorySession],
    ['in files', () => createFileSession({ directory, sessionId: 'same-process' })],
  ])('gives the same result from a session %s (G-11)', async (_where, create) => {
    const counted = nothing();
    const sessionManager = create();
    const again = await travel(traveller(counted, { sessionManager }), () => traveller(counted, { sessionManager }));
    const { pauses, ...home } = await atHome();

    expect(again.pauses).toBe(pauses);
    expect({ ...counted, messages: again.agent.messages, appState: again.agent.appState.toJSON() }).toEqual(home);
  });

  it('gives the same result when every step is a process of its own (G-11)', async () => {
    const step = fileURLToPath(new URL('./fixtures/one-step.ts', import.meta.url));
    const report = join(directory, 'report.json');
    const counted = nothing();
    const told = [];
    for (let stopReason = 'interrupt'; stopReason === 'interrupt'; ) {
      await promisify(execFile)(process.execPath, [step, directory, report]);
      const said = JSON.parse(await readFile(report, 'utf8'));
      counted.modelCalls += said.modelCalls;
      counted.runs.push(...said.runs);
      stopReason = said.stopReason;
      told.push(said);
    }
    const { pauses, ...home } = await atHome();
    const { messages, appState } = told.at(-1);

    expect(told).toHaveLength(pauses + 1);
    expect({ ...counted, messages, appState }).toEqual(home);
  });

  it('is resumed by one of two workers, and nothing runs twice (G-11, BEY-27, BEY-29)', async () => {
    const sessionManager = createMemorySession();
    const deploy = witness('deploy');
    const worker = (model: ReturnType<typeof scriptedModel>) =>
      agent({ model, tools: [deploy], interventions: [new HumanInTheLoop()], sessionManager });
    const { interrupts } = await worker(scriptedModel([call('deploy')])).invoke('go');
    const answers = interrupts.map(({ id }) => ({ interruptResponse: { interruptId: id, response: true } }));
    const [one, two] = [worker(scriptedModel('Done.')), worker(scriptedModel('Done.'))];
    await Promise.all([one.initialize(), two.initialize()]);
    const ends = await Promise.allSettled([one.invoke(answers), two.invoke(answers)]);
    const lost = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason);

    expect(lost).toEqual([expect.any(ConcurrencyError)]);
    expect(deploy.runs).toHaveLength(1);
    const late = await two.invoke(answers);
    expect(late).toMatchObject({ unchanged: true });
    expect([one.messages, two.messages]).toEqual([one.messages, one.messages]);
  });

  it('does not repeat a call whose end no process saw (G-11, BEY-28)', async () => {
    const sessionManager = createMemorySession();
    const deploy = witness('deploy', () => new Promise(() => {}));
    const before = agent({ model: scriptedModel([call('deploy')]), tools: [deploy], sessionManager });
    before.invoke('go').catch(() => {});
    for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
    const after = agent({ model: scriptedModel('I see.'), tools: [deploy], sessionManager });
    const { interrupts } = await after.invoke();

    expect(interrupts).toMatchObject([{ name: 'countersign:outcome-unknown', reason: { tool: 'deploy' } }]);
    expect(deploy.runs).toHaveLength(1);
    const skip = interrupts.map(({ id }) => ({ interruptResponse: { interruptId: id, response: 'skip' } }));
    expect(`${await after.invoke(skip)}`).toBe('I see.');
    expect(deploy.runs).toHaveLength(1);
  });

  it('keeps its first settings, and warns when the session has others (G-11)', async () => {
    const sessionManager = createMemorySession();
    const warnings: string[] = [];
    const begin = (text: string) =>
      agent({
        model: scriptedModel('Ok.'),
        messages: [says(text)],
        appState: { origin: text },
        sessionManager,
        warn: ({ message }) => void warnings.push(message),
      });
    await begin('first').invoke();
    const second = begin('second');
    await second.initialize();

    expect(linesOf(second.messages)).toEqual(['user: first', 'assistant: Ok.']);
    expect(second.appState.toJSON()).toEqual({ origin: 'first' });
    expect(warnings).toEqual([expect.stringContaining('has messages of its own')]);
    expect(() => agent({ model: scriptedModel(), snapshot: second.snapshot(), sessionManager })).toThrow(
      'A snapshot brings',
    );
  });

  it('writes at most twice what there is to remember, whatever the length', async () => {
    const steps = 50;
    const text = 'x'.repeat(2_000);
    const lines = Array.from({ length: steps }, (_, index) => [call('look', {}, `id-${index}`)]);
    const made = agent({
      model: scriptedModel(...lines, 'Done.'),
      tools: [witness('look', () => text)],
      conversationManager: null,
      limits: { turns: 100 },
      sessionManager: createFileSession({ directory, sessionId: 'size' }),
    });
    await made.invoke('go');
    const { size } = await stat(join(directory, 'size', 'default.jsonl'));

    expect(size).toBeLessThan(2 * JSON.stringify(made.snapshot()).length);
    expect(size).toBeGreaterThan(steps * text.length);
  });

  it('reads a shortened conversation back as it was left', async () => {
    const sessionManager = createFileSession({ directory, sessionId: 'short' });
    const made = agent({ model: scriptedModel(...'abcdefghij'), sessionManager });
    for (let turn = 0; turn < 3; turn += 1) await made.invoke(`question ${turn}`);
    const cutting = agent({
      model: scriptedModel('last'),
      sessionManager: createFileSession({ directory, sessionId: 'short' }),
      conversationManager: { manage: async (messages) => messages.slice(-2), reduce: async (messages) => messages },
    });
    await cutting.invoke('question 3');
    const later = agent({
      model: scriptedModel(),
      sessionManager: createFileSession({ directory, sessionId: 'short' }),
    });
    await later.initialize();

    expect(linesOf(later.messages)).toEqual(['user: question 3', 'assistant: last']);
  });

  it('dismisses questions with a reason that the model is told', async () => {
    const made = agent({
      model: scriptedModel([call('t')], 'I see.'),
      tools: [witness('t')],
      interventions: [new HumanInTheLoop()],
    });
    await made.invoke('go');
    await made.dismiss('somebody else did it');

    expect(await made.interrupts()).toEqual([]);
    expect(`${await made.invoke('well?')}`).toBe('I see.');
    expect(JSON.stringify(made.messages)).toContain('somebody else did it');
    expect(linesOf(made.messages).at(-2)).toBe('user: well?');
  });
});
