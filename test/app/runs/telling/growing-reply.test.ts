import { expect, it, vi } from 'vitest';
import { ModelError } from '../../../../app/agent/model/index.ts';
import type { ModelFunction } from '../../../../app/agent/ports.ts';
import { LIMITS } from '../../../../app/limits.ts';
import { NotYetError, type Surface } from '../../../../app/surface.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess, OPEN, type Says, tool } from '../../../support/in-process/index.ts';

/** A bot whose first answer comes piece by piece: the test says when there is more of it, and when that was all. */
async function answering(wishes: Partial<Parameters<typeof inProcess>[0]> = {}, slack: Partial<Surface> = {}) {
  let write = (_piece: string): void => {};
  let ends: (() => void) | undefined;
  const model: ModelFunction = async (request, context) => {
    if (ends !== undefined) return bot.model.answer(request, context);
    write = context.onText;
    await new Promise<void>((resolve) => (ends = resolve));
    return bot.model.answer(request, { ...context, onText: () => {} });
  };
  const bot = await inProcess({ tools: [], ...wishes });
  bot.dies();
  await bot.starts({ changes: { model, surface: { ...bot.thread.surface, ...slack } } });
  return {
    bot,
    begins: async (piece: string, ...says: readonly Says[]) => {
      bot.model.says(...says);
      await bot.mention(ANN, 'how are the payments?');
      write(piece);
      await bot.passes(LIMITS.readAlongAfterMs);
    },
    adds: async (piece: string) => {
      write(piece);
      await bot.settles();
    },
    ends: async () => {
      ends?.();
      await bot.settles();
    },
  };
}

const never = (): Promise<never> => new Promise(() => {});

it('shows a long answer while it is written, and turns that message into the final post', async () => {
  const { bot, begins, adds, ends } = await answering();
  await begins('They are', 'They are fine.');
  expect(bot.thread.growing()).toEqual(['They are']);

  await adds(' fine.');
  expect(bot.thread.growing()).toEqual(['They are fine.']);
  await ends();

  expect(bot.posts()).toEqual(['They are fine.']);
  expect(bot.thread.growing()).toEqual([]);
  expect(bot.thread.calls()).not.toContain('dropReply');
});

it('shows every answer of a run while it is written, not only the first', async () => {
  let ends = (): void => {};
  const model: ModelFunction = async (request, context) => {
    context.onText('So far');
    await new Promise<void>((resolve) => (ends = resolve));
    return bot.model.answer(request, { ...context, onText: () => {} });
  };
  const bot = await inProcess({ tools: [tool('find', OPEN)] });
  bot.dies();
  await bot.starts({ changes: { model } });
  bot.model.says([{ type: 'text', text: 'I look.' }, call('find')], 'I found it.');
  await bot.mention(ANN, 'find it');
  await bot.passes(LIMITS.readAlongAfterMs);
  expect(bot.thread.growing()).toEqual(['So far']);

  ends();
  await bot.settles();
  await bot.passes(LIMITS.readAlongAfterMs);
  expect(bot.posts()).toEqual(['I look.']);
  expect(bot.thread.growing()).toEqual(['So far']);
  ends();
  await bot.settles();

  expect(bot.posts()).toEqual(['I look.', 'I found it.']);
});

it('begins no streamed reply after a pause in which another process may have searched for one', async () => {
  const { bot, begins, ends } = await answering();
  bot.at('reply-begun', () => void vi.advanceTimersByTime(LIMITS.postPatienceMs / 2));
  await begins('They are', 'They are fine.');
  expect(bot.thread.calls()).not.toContain('beginReply');

  await ends();

  expect(bot.posts()).toEqual(['They are fine.']);
});

it('takes back the text of an answer that broke off, and posts the next answer in its place', async () => {
  const { bot, begins, ends } = await answering({ model: { attempts: 2 } });
  await begins('They', new ModelError('overloaded', { retryAfterMs: 1 }), 'All is well.');
  expect(bot.thread.growing()).toEqual(['They']);

  await ends();
  expect(bot.thread.growing()).toEqual([]);
  await bot.passes(LIMITS.readAlongAfterMs);

  expect(bot.posts()).toEqual(['All is well.']);
  expect(bot.logged.filter((line) => !line.startsWith('info'))).toEqual([]);
});

it('posts a quick answer whole, without a streamed reply', async () => {
  const { bot, begins, ends } = await answering();
  await begins('', 'Fine.');

  await ends();
  await bot.passes(LIMITS.readAlongAfterMs);

  expect(bot.posts()).toEqual(['Fine.']);
  expect(bot.thread.calls()).not.toContain('beginReply');
});

it('begins no stream beside the final post that is on its way', async () => {
  const { bot, adds, ends } = await answering();
  bot.at('post-sent', () => never());
  bot.model.says('They are fine.');
  await bot.mention(ANN, 'how are the payments?');
  await adds('They are');

  await ends();
  await bot.passes(LIMITS.readAlongAfterMs);

  expect(bot.thread.calls()).not.toContain('beginReply');
});

it('turns a streamed reply that is only just on its way into the final post, and leaves no second one', async () => {
  const { bot, begins, ends } = await answering();
  let goOn = (): void => {};
  bot.at('reply-begun', () => new Promise<void>((resolve) => (goOn = resolve)));
  await begins('They are', 'They are fine.');

  await ends();
  goOn();
  await bot.settles();

  expect(bot.posts()).toEqual(['They are fine.']);
  expect(bot.thread.growing()).toEqual([]);
});

it('posts an answer whole, and stops trying to stream it, when Slack begins no stream', async () => {
  const { bot, begins, adds, ends } = await answering();
  bot.thread.breaks('beginReply', new NotYetError('503'));
  await begins('They are', 'They are fine.');
  bot.thread.breaks('beginReply');

  await adds(' fine.');
  await bot.passes(LIMITS.readAlongAfterMs);
  await ends();

  expect(bot.posts()).toEqual(['They are fine.']);
  expect(bot.thread.calls().filter((name) => name === 'beginReply')).toHaveLength(1);
  expect(bot.logged.join()).toContain('People cannot read along just now');
});

it('asks Slack once in a turn for a stream that Slack cannot begin, and records that none exists', async () => {
  let asked = 0;
  const beginReply = async () => {
    asked += 1;
    return undefined;
  };
  const { bot, begins, adds, ends } = await answering({}, { beginReply });
  await begins('They are', 'They are fine.');

  await adds(' fine.');
  await bot.passes(LIMITS.readAlongAfterMs);
  expect(asked).toBe(1);
  expect(await bot.journal()).toContain('reply-dropped');
  await ends();

  expect(bot.posts()).toEqual(['They are fine.']);
});
