import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineRule } from '../../../../app/authority/index.ts';
import { LIMITS } from '../../../../app/limits.ts';
import { UserId } from '../../../../app/records/index.ts';
import { describeCall } from '../../../../app/runs/gate/describing.ts';
import { createRedaction } from '../../../../app/secrets/redaction.ts';
import { StoreUnavailableError } from '../../../../app/store/index.ts';
import { systemTimers } from '../../../../app/time/index.ts';
import { secret, toolTable } from '../../../../app/tools/index.ts';
import { ANN, BEN } from '../../../../sandbox/people.ts';
import { type Bot, call, inProcess, OPEN, tool } from '../../../support/in-process/index.ts';
import { fold, started, turn } from '../../../support/journal.ts';
import { MEMBERS } from '../../../support/people.ts';

const SECRET = 'hunter2-hunter2';
const input = z.object({ service: z.string(), token: secret(z.string()) });

describe('a card', () => {
  it('shows the summary, the preview, the words of the agent and the input without a secret in them', async () => {
    const more = {
      input,
      summarise: () => `Restart with ${SECRET}`,
      preview: () => `It uses ${SECRET}`,
      precondition: () => `It rests on ${SECRET}`,
    };
    const bot = await inProcess({ tools: [tool('restart', more)] });
    bot.model.says([{ type: 'text', text: `I use ${SECRET}.` }, call('restart', { service: 'a', token: SECRET })]);

    await bot.mention(ANN, 'restart a');

    const { summary, preview, reason, input: shown, precondition } = bot.card();
    for (const text of [summary, preview, reason, shown, precondition?.text]) {
      expect(text).toBeDefined();
      expect(text).not.toContain(SECRET);
    }
    await bot.press(ANN, bot.card(), 'approve');
    expect(bot.ran()).toEqual([`restart {"service":"a","token":"${SECRET}"}`]);
  });

  it('quotes what the agent said with the call, up to a length, and nothing where it said nothing', async () => {
    const bot = await inProcess({ tools: [tool('restart')] });
    const words = 'x'.repeat(LIMITS.reasonChars + 1);
    bot.model.says([{ type: 'text', text: words }, call('restart')], call('restart', { service: 'b' }, 'b'));
    await bot.mention(ANN, 'restart payments');
    expect(bot.card().reason).toBe('x'.repeat(LIMITS.reasonChars));

    await bot.press(ANN, bot.card(), 'approve');

    expect(bot.card().reason).toBeUndefined();
  });

  const rule = defineRule({ name: 'Ask', effect: 'ask', tool: 'restart' });

  it.each([
    ['suggests a rule after equal answers', {}, {}, 'a', true],
    ['suggests no rule for another input (SURF-1)', {}, {}, 'b', false],
    ['suggests no rule where a rule asks already', {}, { rules: [rule] }, 'a', false],
    ['suggests no rule for what is guarded', { effect: 'guarded', approvers: ['requester'] }, {}, 'a', false],
  ] as const)('%s', async (_what, more, wishes, service, suggests) => {
    const bot = await inProcess({ tools: [tool('restart', more)], limits: { suggestAfter: 1 }, ...wishes });
    bot.model.says(call('restart', { service: 'a' }), 'First.', call('restart', { service }, 'b'));
    await bot.mention(ANN, 'restart a');
    await bot.press(ANN, bot.card(), 'approve');

    await bot.mention(ANN, 'restart once more');

    expect(bot.card().suggestion !== undefined).toBe(suggests);
  });

  it('names a call with a suggested rule to the people of the configuration, and to no other person (SURF-1)', async () => {
    const bot = await inProcess({
      tools: [tool('restart')],
      limits: { suggestAfter: 1 },
      suggestionsTo: [BEN],
    });
    bot.model.says(call('restart', { service: 'a' }), 'First.', call('restart', { service: 'a' }, 'b'));
    await bot.mention(ANN, 'restart a');
    await bot.press(ANN, bot.card(), 'approve');
    await bot.mention(ANN, 'restart a');
    const suggestedTo = (user: string) =>
      bot.core.approvals.suggestedTo({ user: UserId.parse(user), team: bot.card().thread.team });

    expect(await suggestedTo(BEN)).toMatchObject([{ tool: 'restart', input: '{"service":"a"}', requester: ANN }]);
    expect(await suggestedTo(ANN)).toEqual([]);
  });
});

describe('the log', () => {
  it.each([
    [
      'tells of a tool that failed',
      (): string => {
        throw new Error('no');
      },
      true,
    ],
    ['says nothing of a tool that succeeded', (): string => 'fine', false],
  ] as const)('%s', async (_what, run, tells) => {
    const bot = await inProcess({ tools: [tool('look', { ...OPEN, run })] });
    bot.model.says(call('look'));

    await bot.mention(ANN, 'look');

    expect(bot.logged.join().includes('A tool failed.')).toBe(tells);
  });
});

it('asks no person about a call that a rule has denied since the gate looked, and names that rule', async () => {
  const restart = tool('restart');
  const nothing = async () => undefined;
  const described = await describeCall(
    {
      tools: toolTable([restart]),
      redaction: createRedaction({ settings: { keys: [], patterns: [] }, key: new Uint8Array(32) }),
      authority: {
        judge: () => ({
          effect: 'denied',
          rule: { approvers: [], selfApproval: true },
          ruledBy: { name: 'Freeze' },
          shadows: [],
        }),
        ruleNow: async ({ rule }) => ({ rule }),
        policyOf: () => 'p',
        offerOnCard: async () => undefined,
      },
      people: MEMBERS,
      timers: systemTimers,
      ...{ run: fold(started, turn(1, 'a')), suggestRule: nothing, approvalLifetimeMs: 1 },
      toolLog: { said: () => {}, failed: () => () => {} },
    },
    { toolUseId: 'a', name: 'restart', input: { service: 'a' } },
    { said: '', signal: new AbortController().signal, asked: undefined },
  );

  expect(described).toEqual({ type: 'unasked', problem: 'The rule “Freeze” does not allow this call.' });
});

it('writes what a tool logs while it runs into the log', async () => {
  const run: NonNullable<Parameters<typeof tool>[1]>['run'] = (_input, { log }) => {
    log('half way');
    return 'fine';
  };
  const bot = await inProcess({ tools: [tool('look', { ...OPEN, run })] });
  bot.model.says(call('look'));

  await bot.mention(ANN, 'look');

  expect(bot.logged).toContain('info: A tool logs a line.');
});

it('tries to write the end of a call once a second while the store refuses it, and loses no result', async () => {
  let tries = 0;
  let away = false;
  const bot: Bot = await inProcess({
    tools: [tool('look', OPEN)],
    around: (store) => ({
      ...store,
      append: (request) => {
        const isEnd = request.entries.some(({ text }) => text.includes('"call-finished"'));
        if (!isEnd || !away) return store.append(request);
        tries += 1;
        return Promise.reject(new StoreUnavailableError('away'));
      },
    }),
  });
  away = true;
  bot.model.says(call('look'));
  await bot.mention(ANN, 'look');
  expect(tries).toBe(1);
  await bot.passes(LIMITS.rewriteAfterMs);
  expect(tries).toBe(2);
  away = false;

  await bot.passes(LIMITS.rewriteAfterMs);

  expect(bot.ran()).toHaveLength(1);
  expect(bot.model.told()).toEqual(['look-1: success look is done']);
});
