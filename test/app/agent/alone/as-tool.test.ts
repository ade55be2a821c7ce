import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../../app/agent/alone/agent.ts';
import { createMemorySession, type SessionManager } from '../../../../app/agent/alone/memory/session.ts';
import {
  deny,
  type Handler,
  HumanInTheLoop,
  type HumanInTheLoopOptions,
  type Interrupt,
  type Json,
  proceed,
} from '../../../../interventions/index.ts';
import { agent, linesOf } from '../../../support/agent.ts';
import { strictly } from '../../../support/profile.ts';
import { call, resultsOf, scriptedModel, witness } from '../../../support/scripted-model.ts';

const work = (text: string, id = 'w1') => call('Ops_team', { input: text }, id);
const answer = (interrupts: readonly Interrupt[], response: Json = true) =>
  interrupts.map(({ id }) => ({ interruptResponse: { interruptId: id, response } }));

/** A worker that calls this tool once, which its person has to allow. */
const asking = (deploy: ReturnType<typeof witness>, options: HumanInTheLoopOptions = {}) =>
  agent({
    model: scriptedModel([call('deploy', {}, 'd1')], 'Deployed.'),
    name: 'Ops team',
    tools: [deploy],
    interventions: [new HumanInTheLoop(options)],
  });

describe('an agent as a tool of another', () => {
  it('receives work and returns what it says', async () => {
    const worker = agent({ model: scriptedModel('All is well.'), id: 'ops', name: 'Ops team', description: 'Knows.' });
    const model = scriptedModel([work('How is it?')], 'They say it is well.');
    const lead = agent({ model, tools: [worker] });

    expect(`${await lead.invoke('ask them')}`).toBe('They say it is well.');
    expect(lead.toolNames).toEqual(['Ops_team']);
    expect(resultsOf(lead.messages)).toEqual(['w1: success All is well.']);
    expect(linesOf(worker.messages)).toEqual(['user: How is it?', 'assistant: All is well.']);
    expect(model.requests[0]?.tools[0]).toMatchObject({ description: 'Knows.' });
  });

  it('refuses work without words', async () => {
    const worker = agent({ model: scriptedModel(), name: 'Ops team' });
    const lead = agent({ model: scriptedModel([call('Ops_team', { input: ' ' }, 'w1')], 'Oh.'), tools: [worker] });
    await lead.invoke('go');

    expect(resultsOf(lead.messages)[0]).toContain('input must be a text that says something');
  });

  it('asks again for an answer that left the question of its worker open, and says why (BEY-26, BEY-38)', async () => {
    const deploy = witness('deploy');
    const worker = asking(deploy, { evaluate: (said) => said === 'sure', answers: ['sure', 'no'] });
    const lead = agent({ model: scriptedModel([work('deploy')], 'Done.'), tools: [worker] });
    const { interrupts } = await lead.invoke('go');

    const again = await lead.invoke(answer(interrupts, { decision: 'answered' }));

    expect(again.interrupts).toHaveLength(1);
    expect(again.interrupts).not.toEqual(interrupts);
    expect(again.interrupts[0]?.problem).toContain('needs a comment');
    expect(deploy.runs).toEqual([]);
    expect(`${await lead.invoke(answer(again.interrupts, 'sure'))}`).toBe('Done.');
    expect(deploy.runs).toHaveLength(1);
  });

  it('asks for each approval that its worker needs, and hands each down once (BEY-20, BEY-26)', async () => {
    const deploy = witness('deploy');
    const rule = { effect: 'guarded', approvers: ['ben', 'zoe'], quorum: 2, selfApproval: true } as const;
    const worker = asking(deploy, { ruleFor: () => rule });
    const lead = agent({ model: scriptedModel([work('deploy')], 'Done.'), tools: [worker] });
    const asked = await lead.invoke('go', { invocationState: { requester: 'ann' } });
    const yes = (approver: string) => ({ decision: 'approve', approver });

    const once = await lead.invoke(answer(asked.interrupts, yes('ben')), { invocationState: { requester: 'ann' } });
    expect(once.interrupts).toHaveLength(1);
    const twice = await lead.invoke(answer(once.interrupts, yes('ben')), { invocationState: { requester: 'ann' } });
    expect([twice.interrupts.length, deploy.runs.length]).toEqual([1, 0]);
    await lead.invoke(answer(twice.interrupts, yes('zoe')), { invocationState: { requester: 'ann' } });

    expect(deploy.runs).toHaveLength(1);
  });

  it('passes all of its questions up at once, and the answers down (BEY-26, T18)', async () => {
    const deploy = witness('deploy');
    const worker = agent({
      model: scriptedModel([call('deploy', { to: 1 }, 'd1'), call('deploy', { to: 2 }, 'd2')], 'Deployed.'),
      id: 'ops',
      name: 'Ops team',
      tools: [deploy],
      interventions: [new HumanInTheLoop()],
    });
    const lead = agent({ model: scriptedModel([work('deploy')], 'Done.'), tools: [worker] });
    const { interrupts } = await lead.invoke('go');

    expect(interrupts.map(({ name }) => name.split('/')[0])).toEqual(['ops', 'ops']);
    expect(JSON.stringify(interrupts[1]?.reason)).toContain('deploy');
    expect(deploy.runs).toEqual([]);
    const still = await lead.invoke(answer(interrupts.slice(0, 1)));
    expect(still.interrupts).toEqual(interrupts.slice(1));
    expect(`${await lead.invoke(answer(interrupts.slice(1), false))}`).toBe('Done.');
    expect(deploy.runs).toEqual([{ to: 1 }]);
    expect(worker.appState.toJSON()).toEqual({});
  });

  it.each<[string, SessionManager | undefined]>([
    ['with a memory of its own', createMemorySession()],
    ['that starts over, and asks the same', undefined],
  ])('goes on after a restart: a worker %s (BEY-26)', async (_what, sessionManager) => {
    const deploy = witness('deploy');
    const leads = createMemorySession();
    let workerCalls = 0;
    const start = (): Agent => {
      const worker = agent({
        model: async (request, context) => {
          workerCalls += 1;
          const lines = request.messages.length > 1 ? 'Deployed.' : [call('deploy', {}, 'd1')];
          return scriptedModel(lines)(request, context);
        },
        id: 'ops',
        name: 'Ops team',
        tools: [deploy],
        interventions: [new HumanInTheLoop()],
        ...(sessionManager === undefined ? {} : { sessionManager }),
      });
      const model = scriptedModel(workerCalls === 0 ? [work('deploy')] : 'Done.');
      return agent({ model, tools: [worker], sessionManager: leads });
    };
    const { interrupts } = await start().invoke('go');
    const end = await start().invoke(answer(interrupts));

    expect(`${end}`).toBe('Done.');
    expect(deploy.runs).toHaveLength(1);
    expect(workerCalls).toBe(sessionManager === undefined ? 3 : 2);
  });

  it('keeps its trust to itself (BEY-26, T18)', async () => {
    const deploy = witness('deploy');
    const gate = (...allowedTools: string[]) => new HumanInTheLoop({ allowedTools, enableTrust: true });
    const worker = agent({
      model: scriptedModel([call('deploy', {}, 'd1')], 'Deployed.'),
      id: 'ops',
      name: 'Ops team',
      tools: [deploy],
      interventions: [gate()],
    });
    const lead = agent({
      model: scriptedModel([work('deploy')], [call('deploy', {}, 'd2')]),
      tools: [worker, deploy],
      interventions: [gate('Ops_team')],
    });
    const { interrupts } = await lead.invoke('go');
    const later = await lead.invoke(answer(interrupts, 't'));

    expect(deploy.runs).toHaveLength(1);
    expect(Object.keys(worker.appState.toJSON())).toHaveLength(1);
    expect(lead.appState.toJSON()).toEqual({});
    expect(later.interrupts).toHaveLength(1);
  });

  it('keeps trust for one invocation to itself, also if both agents have the same gate (BEY-26, T18)', async () => {
    const deploy = witness('deploy');
    const asked: string[] = [];
    const ask = (_prompt: string, { toolUse }: { readonly toolUse: { readonly toolUseId: string } }) => {
      asked.push(toolUse.toolUseId);
      return 't';
    };
    const gate = new HumanInTheLoop({ enableTrust: { scope: 'invocation' }, ask });
    const worker = agent({
      model: scriptedModel([call('deploy', {}, 'd1')], [call('deploy', {}, 'd2')], 'Deployed.'),
      name: 'Ops team',
      tools: [deploy],
      interventions: [gate],
    });
    const model = scriptedModel([work('deploy')], [call('deploy', {}, 'd3')], 'Done.');
    await agent({ model, tools: [worker, deploy], interventions: [gate] }).invoke('go');

    expect(asked).toEqual(['w1', 'd1', 'd3']);
    expect(deploy.runs).toHaveLength(3);
  });

  it(
    'keeps its question open when an answer is not understood (BEY-26, BEY-38)',
    strictly('BEY-38', async () => {
      const deploy = witness('deploy');
      const worker = asking(deploy);
      const lead = agent({ model: scriptedModel([work('deploy')], 'Done.'), tools: [worker] });
      const { interrupts } = await lead.invoke('go');

      await expect(lead.invoke(answer(interrupts, 'yess'))).rejects.toThrow('so it is still open');
      expect(`${await lead.invoke(answer(interrupts))}`).toBe('Done.');
      expect(deploy.runs).toHaveLength(1);
    }),
  );

  it('goes on without the question that no person answered in time, and takes new work (BEY-26, BEY-7)', async () => {
    const deploy = witness('deploy');
    let nowMs = 0;
    const clock = { now: () => nowMs };
    const worker = agent({
      clock,
      model: scriptedModel([call('deploy', {}, 'd1')], 'Nobody answered.', 'All is well.'),
      name: 'Ops team',
      tools: [deploy],
      interventions: [new HumanInTheLoop({ expiresAfterMs: 1_000 })],
    });
    const model = scriptedModel([work('deploy')], [work('How is it?', 'w2')], 'Well.');
    const lead = agent({ clock, model, tools: [worker] });
    const { interrupts } = await lead.invoke('go');
    nowMs = 2_000;
    await expect(lead.invoke(answer(interrupts))).rejects.toThrow('has expired');
    const next = await lead.invoke('and now?');

    expect(deploy.runs).toEqual([]);
    expect(next.interrupts).toEqual([]);
    expect(resultsOf(lead.messages)).toEqual(['w1: success Nobody answered.', 'w2: success All is well.']);
  });

  it('is cancelled together with the agent that called it', async () => {
    const slow = witness('slow', () => new Promise((resolve) => setImmediate(() => resolve('late'))));
    const worker = agent({ model: scriptedModel([call('slow')], 'Never.'), name: 'Ops team', tools: [slow] });
    const lead = agent({ model: scriptedModel([work('go')], 'Never.'), tools: [worker] });
    const running = lead.invoke('go');
    for (let turns = 0; slow.runs.length === 0 && turns < 100; turns += 1) await Promise.resolve();
    lead.cancel();

    expect((await running).stopReason).toBe('cancelled');
    expect(await worker.invoke('are you free?').catch((error: unknown) => String(error))).not.toContain('busy');
  });

  it('takes the question of a call that was given up back, and does the work of the next one (BEY-26)', async () => {
    const deploy = witness('deploy');
    const answers = scriptedModel([call('deploy', {}, 'd1')], 'The sky is blue.');
    const worker = agent({
      model: answers,
      id: 'ops',
      name: 'Ops team',
      tools: [deploy],
      interventions: [new HumanInTheLoop()],
    });
    const late: Handler = { name: 'late', beforeToolCall: ({ resumed }) => (resumed ? deny('Too late.') : proceed()) };
    const model = scriptedModel([work('deploy')], 'Not deployed.', [work('look at the sky', 'w2')], 'Blue.');
    const lead = agent({ model, tools: [worker], interventions: [late] });
    const { interrupts } = await lead.invoke('deploy');
    await lead.invoke(answer(interrupts));
    const next = await lead.invoke('and the sky?');

    expect(next.interrupts).toEqual([]);
    expect(resultsOf(lead.messages)).toEqual(['w1: error DENIED: Too late.', 'w2: success The sky is blue.']);
    expect(linesOf(worker.messages)).toContain('user: look at the sky');
    expect(resultsOf(worker.messages)[0]).toContain('The call that asked was given up.');
    expect(deploy.runs).toEqual([]);
    expect(worker.appState.toJSON()).toEqual({});
  });

  it('keeps the question of one of two calls at once, and refuses the other call (BEY-26)', async () => {
    const deploy = witness('deploy');
    const worker = asking(deploy);
    const model = scriptedModel([work('deploy'), work('look at the sky', 'w2')], 'Done.');
    const lead = agent({ model, tools: [worker] });
    const { interrupts } = await lead.invoke('go');
    await lead.invoke(answer(interrupts));

    expect(deploy.runs).toHaveLength(1);
    expect(resultsOf(lead.messages)[0]).toBe('w1: success Deployed.');
    expect(resultsOf(lead.messages)[1]).toContain('busy with another invocation');
  });
});
