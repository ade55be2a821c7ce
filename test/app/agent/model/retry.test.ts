import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModelError } from '../../../../app/agent/model/error.ts';
import { createAnthropicModel } from '../../../../app/agent/model/model.ts';
import { type Retry, type RetryOptions, withRetry } from '../../../../app/agent/model/retry.ts';
import type { ModelFunction } from '../../../../app/agent/ports.ts';
import {
  closeNetwork,
  MODEL_URL,
  modelAnswers,
  modelFails,
  modelIsAway,
  openNetwork,
} from '../../../support/anthropic.ts';

beforeEach(closeNetwork);
afterEach(openNetwork);

const model = createAnthropicModel({
  apiKey: 'k',
  baseUrl: MODEL_URL,
  model: 'claude-test',
  maxTokens: 1000,
  timeoutMs: 5_000,
});

function patient(options: RetryOptions = {}) {
  const slept: number[] = [];
  const retries: Retry[] = [];
  const shown: string[] = [];
  const retrying = withRetry(model, {
    jitter: 'none',
    sleep: async (ms) => void slept.push(ms),
    onRetry: (retry) => void retries.push(retry),
    ...options,
  });
  const ask = (signal = new AbortController().signal) =>
    retrying(
      { system: undefined, messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], tools: [] },
      { signal, onText: (text) => void shown.push(text) },
    );
  return { ask, slept, retries, shown };
}

const times = (count: number, fail: () => void) => Array.from({ length: count }).forEach(fail);

describe('a model that fails (FM1)', () => {
  it.each([429, 529, 500])('with %i is asked six times with doubling waits, and then reported', async (status) => {
    times(6, () => modelFails(status));
    const seventh = modelAnswers({ type: 'text', text: 'Too late' });
    const { ask, slept } = patient();

    await expect(ask()).rejects.toMatchObject({ name: 'ModelError' });

    expect(slept).toEqual([4_000, 8_000, 16_000, 32_000, 64_000]);
    expect(seventh).toEqual([]);
  });

  it('and recovers gives its answer', async () => {
    modelFails(529);
    modelIsAway();
    modelAnswers({ type: 'text', text: 'Here I am' });
    const { ask, slept } = patient();

    expect(await ask()).toMatchObject({ message: { content: [{ text: 'Here I am' }] } });
    expect(slept).toEqual([4_000, 8_000]);
  });

  it('counts anew for the next question', async () => {
    const { ask, slept } = patient();
    for (const _question of [1, 2]) {
      modelFails(500);
      modelAnswers({ type: 'text', text: 'Yes' });
      await ask();
    }

    expect(slept).toEqual([4_000, 4_000]);
  });

  it('never waits longer than the longest wait', async () => {
    times(9, () => modelFails(500));
    const { ask, slept } = patient({ attempts: 9 });

    await expect(ask()).rejects.toMatchObject({ kind: 'server' });

    expect(slept.slice(-3)).toEqual([128_000, 240_000, 240_000]);
  });

  it('is asked again at the time it named, and not before', async () => {
    modelFails(429, { headers: { 'retry-after': '17' } });
    modelAnswers({ type: 'text', text: 'Yes' });
    const { ask, slept } = patient({ jitter: 'full', random: () => 0.5 });

    await ask();

    expect(slept).toEqual([17_850]);
  });

  it('that asks for a longer wait than the limit is reported at once', async () => {
    modelFails(429, { headers: { 'retry-after': '3600' } });
    const { ask, slept } = patient();

    await expect(ask()).rejects.toMatchObject({ kind: 'throttled', retryAfterMs: 3_600_000 });

    expect(slept).toEqual([]);
  });

  it.each([
    ['a wrong key', 401, {}],
    ['a request it cannot read', 400, {}],
    ['a thread that is too long', 400, { message: 'prompt is too long: 1 > 0' }],
    ['something it does not answer', 400, { message: 'blocked by content filtering policy' }],
  ])('because of %s is asked once', async (_what, status, options) => {
    modelFails(status, options);
    const { ask, slept } = patient();

    await expect(ask()).rejects.toMatchObject({ name: 'ModelError' });

    expect(slept).toEqual([]);
  });

  it.each([
    ['full', 0, 0],
    ['full', 0.5, 2_000],
    ['equal', 0, 2_000],
    ['equal', 0.5, 3_000],
    ['decorrelated', 0, 4_000],
    ['decorrelated', 0.5, 8_000],
  ] as const)('is asked again at random (%s, %d)', async (jitter, chance, expected) => {
    modelFails(500);
    modelAnswers({ type: 'text', text: 'Yes' });
    const { ask, slept } = patient({ jitter, random: () => chance });

    await ask();

    expect(slept).toEqual([expected]);
  });
});

describe('a retry strategy of the caller', () => {
  it('makes each wait grow from the one before, up to the longest (AG-19)', async () => {
    times(5, () => modelFails(500));
    modelAnswers({ type: 'text', text: 'Yes' });
    const { ask, slept } = patient({ jitter: 'decorrelated', random: () => 0.5, maxDelayMs: 20_000 });

    await ask();

    expect(slept).toEqual([8_000, 14_000, 20_000, 20_000, 20_000]);
  });

  it('chooses the failures that are retried (AG-20)', async () => {
    modelFails(529);
    const { ask, slept } = patient({ again: ({ kind }) => kind === 'throttled' });

    await expect(ask()).rejects.toMatchObject({ kind: 'overloaded' });
    expect(slept).toEqual([]);
  });
});

describe('an answer that breaks off (FM2)', () => {
  it('is asked for again, and the text that was shown is taken back first', async () => {
    modelAnswers({ type: 'text', text: 'Hello, Ann.' }, { cutAfter: 5 });
    modelAnswers({ type: 'text', text: 'Good morning.' });
    const { ask, retries, shown } = patient();

    const answer = await ask();

    expect(retries).toMatchObject([{ attempt: 1, delayMs: 4_000, withdrawnText: 'Hello, A', error: { kind: 'cut' } }]);
    expect(shown.join('')).toBe('Hello, AGood morning.');
    expect(answer.message.content).toEqual([{ type: 'text', text: 'Good morning.' }]);
  });

  it('before any text takes nothing back', async () => {
    modelAnswers({ type: 'text', text: 'Hello' }, { cutAfter: 1 });
    modelAnswers({ type: 'text', text: 'Hello' });
    const { ask, retries } = patient();

    await ask();

    expect(retries).toMatchObject([{ withdrawnText: '' }]);
  });
});

describe('a run that is stopped', () => {
  it('wakes at once from a wait between tries, with the reason, and asks no more', async () => {
    modelFails(500);
    const second = modelAnswers({ type: 'text', text: 'Hello' });
    const stop = new AbortController();
    const retrying = withRetry(model, {
      jitter: 'none',
      firstDelayMs: 200_000,
      onRetry: () => setTimeout(() => stop.abort(new Error('stopped')), 5),
    });

    const asking = retrying(
      { system: undefined, messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], tools: [] },
      { signal: stop.signal, onText: () => {} },
    );

    await expect(asking).rejects.toThrow('stopped');
    expect(second).toEqual([]);
  });

  it('is never asked again, whatever the failure', async () => {
    modelFails(500);
    const stop = new AbortController();
    const { ask, slept } = patient({ sleep: async () => stop.abort(new Error('stopped')) });

    await expect(ask(stop.signal)).rejects.toThrow('stopped');

    expect(slept).toEqual([]);
  });

  it('ends with the reason of the stop, even when the model reports something else first', async () => {
    const stop = new AbortController();
    const slow: ModelFunction = async () => {
      stop.abort(new Error('stopped'));
      throw new ModelError('server');
    };

    const asking = withRetry(slow, { attempts: 1 })(
      { system: undefined, messages: [], tools: [] },
      { signal: stop.signal, onText: () => {} },
    );

    await expect(asking).rejects.toThrow('stopped');
  });
});
