import { describe, expect, it } from 'vitest';
import { createMemorySession, type SessionManager } from '../../../../app/agent/alone/memory/session.ts';
import {
  type BeforeInvocationEvent,
  BeforeToolsEvent,
  type ConfirmingHandler,
  confirm,
  deny,
  type Handler,
  HumanInTheLoop,
  InterruptEvent,
  proceed,
  transform,
} from '../../../../interventions/index.ts';
import { agent, callbacks, linesOf, reply } from '../../../support/agent.ts';
import { call, scriptedModel, witness } from '../../../support/scripted-model.ts';

/** An agent that has asked a person about its one call. */
async function waiting(whileWaiting?: 'reject' | 'dismissAndContinue' | 'queue') {
  const options = {
    model: scriptedModel([call('t')], 'Done.'),
    tools: [witness('t')],
    interventions: [new HumanInTheLoop()],
    sessionManager: createMemorySession(),
    ...(whileWaiting === undefined ? {} : { whileWaiting }),
  };
  const made = agent(options);
  const { interrupts } = await made.invoke('go');
  return { made, question: interrupts[0], options };
}

describe('an agent that waits for a person', () => {
  it.each([undefined, 'reject'] as const)(
    'takes nothing but an answer, and stays as it is (%s) (BEY-7, I-19)',
    async (policy) => {
      const { made } = await waiting(policy);
      const before = made.snapshot();

      await expect(made.invoke('and this')).rejects.toThrow('waits for answers');
      expect(made.snapshot()).toEqual(before);
    },
  );

  it('whose process ended after saving an answer goes on when it is invoked without input (BEY-5, BEY-27)', async () => {
    const { question, options } = await waiting();
    const kept = options.sessionManager;
    let saved = 0;
    const sessionManager: SessionManager = {
      ...kept,
      append: async (...entries) => {
        saved += 1;
        if (saved > 1) throw new Error('The process ended.');
        return kept.append(...entries);
      },
    };
    await expect(agent({ ...options, sessionManager }).invoke([reply(question, true)])).rejects.toThrow('ended');
    const [tool] = options.tools;
    const other = agent({ ...options, model: scriptedModel('Done.') });

    expect(await other.invoke([reply(question, true)])).toMatchObject({ unchanged: true });
    expect(tool?.runs).toEqual([]);
    expect(`${await other.invoke()}`).toBe('Done.');
    expect(tool?.runs).toHaveLength(1);
  });

  it('takes no answer that is written into its question, in a result, a list, a snapshot or a callback', async () => {
    const tool = witness('t');
    const hooks = callbacks();
    const answer = (question: unknown) => Object.assign(question ?? {}, { response: true });
    hooks.addCallback(InterruptEvent, ({ interrupt }) => void answer(interrupt));
    const parts = {
      tools: [tool],
      interventions: [new HumanInTheLoop()],
      hooks: [hooks],
      whileWaiting: 'queue',
    } as const;
    for (const sessionManager of [undefined, createMemorySession()]) {
      const made = agent({ ...parts, model: scriptedModel([call('t')]), ...(sessionManager && { sessionManager }) });

      answer((await made.invoke('go')).interrupts[0]);
      answer((await made.interrupts())[0]);
      answer(made.snapshot().state.interrupts?.[0]);
      answer((await made.invoke('later')).interrupts[0]);

      await expect(made.invoke()).rejects.toThrow('waits for answers');
      expect(await made.interrupts()).toHaveLength(1);
    }
    expect(tool.runs).toEqual([]);
  });

  it.each(['a session', 'no session'])(
    'takes no answer that is written into its other questions after one was answered (%s)',
    async (kept) => {
      const tool = witness('t');
      const made = agent({
        model: scriptedModel([call('t', 1, 't-1'), call('t', 2, 't-2'), call('t', 3, 't-3')]),
        tools: [tool],
        interventions: [new HumanInTheLoop()],
        ...(kept === 'a session' && { sessionManager: createMemorySession() }),
      });
      const first = await made.invoke('go');
      const second = await made.invoke([reply(first.interrupts[0], false)]);

      for (const question of second.interrupts) Object.assign(question, { response: true });

      await expect(made.invoke()).rejects.toThrow('waits for answers');
      expect(tool.runs).toEqual([]);
    },
  );

  it('opens its question again when the answer makes the function throw that judges answers', async () => {
    const tool = witness('t');
    const gate = new HumanInTheLoop({
      evaluate: (response) => {
        if (response === 'odd') throw new Error('odd word');
        return response === 'yes';
      },
    });
    const sessionManager = createMemorySession();
    const make = () =>
      agent({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [gate], sessionManager });
    const first = make();
    const [question] = (await first.invoke('go')).interrupts;

    await expect(first.invoke([reply(question, 'odd')])).rejects.toThrow(
      'Its question is open again: answer it otherwise, dismiss it, or mend the handler, or set its onError to deny. The cause: odd word',
    );

    expect(await make().interrupts()).toEqual([question]);
    await expect(make().invoke('hello')).rejects.toThrow('waits for answers');
    await expect(make().invoke([reply(question, 'odd')])).rejects.toThrow('odd word');
    await first.invoke([reply(question, 'yes')]);
    expect(tool.runs).toHaveLength(1);
  });

  it('keeps the other answers of a list when one of them makes the function throw that judges answers', async () => {
    const tools = [witness('t'), witness('u')];
    const judging = (name: string, tool: string): Handler => ({
      name,
      beforeToolCall: ({ toolUse }) =>
        toolUse.name === tool
          ? confirm('Run it?', {
              evaluate: (response) => {
                if (response === 'odd') throw new Error('odd word');
                return response === 'yes';
              },
            })
          : proceed(),
    });
    const model = scriptedModel([call('t', {}, 'a'), call('u', {}, 'b')], 'Done.');
    const made = agent({ model, tools, interventions: [judging('one', 't'), judging('two', 'u')] });
    const { interrupts } = await made.invoke('go');
    const [one, two] = interrupts;

    await expect(made.invoke([reply(one, 'odd'), reply(two, 'yes')])).rejects.toThrow('odd word');
    expect((await made.interrupts()).map(({ id }) => id)).toEqual([one?.id]);
    await made.invoke([reply(one, 'yes')]);

    expect(tools.map(({ runs }) => runs.length)).toEqual([1, 1]);
  });

  it.each(['queue', 'dismissAndContinue'] as const)(
    'lets its handlers judge and change later words as well (%s) (BEY-7, I-19)',
    async (whileWaiting) => {
      const censor: Handler = {
        name: 'censor',
        beforeInvocation: ({ messages }) =>
          JSON.stringify(messages).includes('spam')
            ? deny('no spam')
            : transform<BeforeInvocationEvent>((event) => {
                event.messages = JSON.parse(JSON.stringify(event.messages).replaceAll('4111', '[card]'));
              }),
      };
      const model = scriptedModel([call('t')], 'Done.');
      const interventions = [censor, new HumanInTheLoop()];
      const made = agent({ model, tools: [witness('t')], interventions, whileWaiting });
      const { interrupts } = await made.invoke('go');
      const refused = await made.invoke('spam');
      expect(refused).toMatchObject({ endedBy: { handler: 'censor', text: 'DENIED: no spam' }, interrupts });
      await made.invoke('my card is 4111');
      if (whileWaiting === 'queue') await made.invoke([reply(interrupts[0], true)]);

      const said = JSON.stringify(model.requests.at(-1)?.messages);
      expect(said).toContain('my card is [card]');
      expect(said).not.toMatch(/spam|4111/);
    },
  );

  it('takes no later words that a person would have to let in (BEY-33)', async () => {
    const door: ConfirmingHandler = {
      name: 'door',
      confirmEverywhere: true,
      beforeInvocation: ({ messages }) => (JSON.stringify(messages).includes('go') ? proceed() : confirm('Let it in?')),
    };
    const model = scriptedModel([call('t')], 'Done.');
    const interventions = [door, new HumanInTheLoop()];
    const made = agent({ model, tools: [witness('t')], interventions, whileWaiting: 'queue' });
    const { interrupts } = await made.invoke('go');

    await expect(made.invoke('and this')).rejects.toThrow('A person has to let these words in');
    await made.invoke([reply(interrupts[0], true)]);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('and this');
  });

  it('keeps later words until it has its answer, for another process as well (BEY-7, I-19)', async () => {
    const { made, question, options } = await waiting('queue');
    const kept = await made.invoke('and this');
    await made.invoke('and that');

    expect(kept).toMatchObject({ unchanged: true, stopReason: 'interrupt', interrupts: [{ id: question?.id }] });
    const other = agent({ ...options, model: scriptedModel('Done.', 'Fine.') });
    await other.invoke([reply(question, true)]);
    await other.invoke('thanks');
    expect(linesOf(other.messages)).toEqual([
      'user: go',
      'assistant: [t t-1]',
      'user: [t-1 success]',
      'user: and this',
      'user: and that',
      'assistant: Done.',
      'user: thanks',
      'assistant: Fine.',
    ]);
  });

  it('keeps later words in a snapshot as well, and passes them on once (BEY-7, I-19)', async () => {
    const { made, question, options } = await waiting('queue');
    await made.invoke('and this');
    const snapshot = JSON.parse(JSON.stringify(made.snapshot()));
    const { sessionManager: _none, ...rest } = options;
    const other = agent({ ...rest, model: scriptedModel('Done.', 'Fine.'), snapshot });
    await other.invoke([reply(question, true)]);

    expect(linesOf(other.messages).join(' ')).toContain('and this');
    await other.invoke('thanks');
    expect(linesOf(other.messages).filter((line) => line.includes('and this'))).toHaveLength(1);
  });

  it('withdraws its question and goes on with the new words (BEY-7, I-19)', async () => {
    const { made, options } = await waiting('dismissAndContinue');
    const result = await made.invoke('and this');

    expect(result.stopReason).toBe('endTurn');
    expect(options.tools[0]?.runs).toEqual([]);
    expect(linesOf(made.messages)).toEqual([
      'user: go',
      'assistant: [t t-1]',
      'user: [t-1 error]',
      'user: and this',
      'assistant: Done.',
    ]);
    expect(JSON.stringify(made.messages)).toContain('CANCELLED: The question was withdrawn');
  });

  it('withdraws its question about a lost call as well, and goes on with the new words (BEY-7, BEY-28)', async () => {
    const sessionManager = createMemorySession();
    const deploy = witness('deploy', () => new Promise(() => {}));
    const options = { tools: [deploy], sessionManager, whileWaiting: 'dismissAndContinue' } as const;
    const dies = agent({ ...options, model: scriptedModel([call('deploy')]) });
    dies.invoke('go').catch(() => {});
    for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
    const made = agent({ ...options, model: scriptedModel('Fine.') });
    await made.invoke();

    expect(`${await made.invoke('and this')}`).toBe('Fine.');
    expect(linesOf(made.messages).slice(2)).toEqual(['user: [deploy-1 error]', 'user: and this', 'assistant: Fine.']);
    expect(JSON.stringify(made.messages)).toContain('It is not known whether this tool call happened.');
    expect(deploy.runs).toHaveLength(1);
  });

  it('keeps the new words when its call raises another question first (I-19)', async () => {
    const hooks = callbacks();
    let asks: string | undefined;
    hooks.addCallback(BeforeToolsEvent, (event) => {
      if (asks !== undefined) event.interrupt({ name: asks });
    });
    const made = agent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t')],
      interventions: [new HumanInTheLoop({ expiresAfterMs: -1 })],
      hooks: [hooks],
    });
    await made.invoke('go');
    asks = 'and now?';
    const { interrupts } = await made.invoke('and this');
    await made.invoke([reply(interrupts[0], 'yes')]);

    expect(linesOf(made.messages)).toContain('user: and this');
  });

  it('still needs an answer when no new words come (BEY-7)', async () => {
    for (const policy of ['queue', 'dismissAndContinue'] as const) {
      const { made } = await waiting(policy);

      await expect(made.invoke()).rejects.toThrow('waits for answers');
    }
  });
});
