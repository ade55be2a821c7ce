import nock from 'nock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelError } from '../../../../app/agent/model/error.ts';
import { createAnthropicModel } from '../../../../app/agent/model/model.ts';
import type { ModelRequest } from '../../../../app/agent/ports.ts';
import {
  type AnswerBlock,
  answerEvents,
  closeNetwork,
  MODEL_URL,
  modelAnswers,
  modelElsewhere,
  modelFails,
  modelHangs,
  modelIsAway,
  openNetwork,
} from '../../../support/anthropic.ts';
import { timeRunsAhead } from '../../../support/time-runs-ahead.ts';

beforeEach(closeNetwork);
afterEach(openNetwork);

const model = createAnthropicModel({
  apiKey: 'sk-ant-secret',
  baseUrl: MODEL_URL,
  model: 'claude-test',
  maxTokens: 1000,
  timeoutMs: 5_000,
  now: () => Date.UTC(2026, 10, 21),
});
const hello: ModelRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
};
const restart: AnswerBlock = {
  type: 'tool_use',
  id: 'toolu_1',
  name: 'restart_service',
  input: { service: 'payments' },
};

function ask(more: { readonly signal?: AbortSignal; readonly onText?: (text: string) => void } = {}, ask = model) {
  return ask(hello, { signal: new AbortController().signal, onText: () => {}, ...more });
}
const failure = (answer: Promise<unknown>): Promise<ModelError> =>
  answer.then(
    () => Promise.reject(new Error('It answered.')),
    (error) => error,
  );

describe('an answer', () => {
  it('is its text, with each piece shown as it arrives', async () => {
    modelAnswers(
      { type: 'text', text: 'Hello, Ann.' },
      { usage: { input_tokens: 7, cache_read_input_tokens: 5, output_tokens: 9 } },
    );
    const shown: string[] = [];

    const answer = await ask({ onText: (text) => shown.push(text) });

    expect(answer).toEqual({
      message: { role: 'assistant', content: [{ type: 'text', text: 'Hello, Ann.' }] },
      stopReason: 'endTurn',
      usage: { inputTokens: 7, outputTokens: 9, cacheReadTokens: 5, cacheWriteTokens: 0 },
    });
    expect(shown.length).toBeGreaterThan(1);
    expect(shown.join('')).toBe('Hello, Ann.');
  });

  it('holds thinking with its signature, text, several calls and blocks only the provider knows, in their order', async () => {
    modelAnswers([
      { type: 'thinking', thinking: 'Payments is degraded.', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'b3BhcXVl' },
      { type: 'text', text: 'I will restart it.' },
      restart,
      { type: 'tool_use', id: 'toolu_2', name: 'current_time', json: '' },
    ]);

    const { message, stopReason } = await ask();

    expect(stopReason).toBe('toolUse');
    expect(message.content).toEqual([
      { type: 'thinking', thinking: 'Payments is degraded.', signature: 'c2ln' },
      { type: 'opaque', value: { type: 'redacted_thinking', data: 'b3BhcXVl' } },
      { type: 'text', text: 'I will restart it.' },
      { type: 'toolUse', toolUseId: 'toolu_1', name: 'restart_service', input: { service: 'payments' } },
      { type: 'toolUse', toolUseId: 'toolu_2', name: 'current_time', input: {} },
    ]);
  });

  it.each([
    ['half of it', '{"service": "pay'],
    ['other words', 'service=payments'],
    ['more than it', '{"a":1}}'],
    ['nested too deeply to be written down', `${'['.repeat(900)}${']'.repeat(900)}`],
  ])('keeps an input that is no JSON as text: %s (FM4)', async (_what, json) => {
    modelAnswers({ type: 'tool_use', id: 'toolu_1', name: 'restart_service', json });

    const { message } = await ask();

    expect(message.content).toEqual([{ type: 'toolUse', toolUseId: 'toolu_1', name: 'restart_service', input: json }]);
  });

  it.each([
    ['end_turn', 'endTurn'],
    ['max_tokens', 'maxTokens'],
    ['stop_sequence', 'stopSequence'],
    ['pause_turn', 'pauseTurn'],
    ['refusal', 'refusal'],
    ['model_context_window_exceeded', 'contextWindowExceeded'],
  ])('that stopped with %s says %s', async (stopReason, expected) => {
    modelAnswers({ type: 'text', text: 'So' }, { stopReason });

    expect(await ask()).toMatchObject({ stopReason: expected });
  });

  it('that asks for tools stops for tools, whatever stop reason came with it', async () => {
    modelAnswers(restart, { stopReason: 'end_turn' });

    expect(await ask()).toMatchObject({ stopReason: 'toolUse', message: { content: [{ type: 'toolUse' }] } });
  });

  it('that stopped for an unknown reason is an error', async () => {
    modelAnswers({ type: 'text', text: 'So' }, { stopReason: 'teleported' });

    expect(await failure(ask())).toMatchObject({ kind: 'bad-request', detail: expect.stringContaining('teleported') });
  });

  it.each(['max_tokens', 'refusal', 'model_context_window_exceeded'])(
    'that ended with %s asks for nothing (P18)',
    async (stopReason) => {
      modelAnswers([{ type: 'text', text: 'I will' }, restart, { ...restart, id: 'toolu_2', json: '{"serv' }], {
        stopReason,
      });

      expect((await ask()).message.content).toEqual([{ type: 'text', text: 'I will' }]);
    },
  );
});

describe('a stream that breaks off (FM2)', () => {
  const blocks: readonly AnswerBlock[] = [
    { type: 'thinking', thinking: 'Think about it.', signature: 'c2ln' },
    { type: 'text', text: 'I will restart it.' },
    restart,
  ];
  const events = answerEvents(blocks);
  const cuts = events.map((event, index) => [index, event.type] as const);

  it.each(cuts)('before event %i (%s) is no answer when it ends', async (cutAfter) => {
    modelAnswers(blocks, { cutAfter });

    expect(await failure(ask())).toMatchObject({ name: 'ModelError', kind: 'cut' });
  });

  it.each(cuts.slice(1))('before event %i (%s) is no answer when the connection breaks', async (cutAfter) => {
    modelAnswers(blocks, { cutAfter, cutBy: 'break' });

    expect(await failure(ask())).toMatchObject({ name: 'ModelError', kind: 'cut' });
  });

  it('inside a block that never ended is no answer, whatever comes after', async () => {
    const holed = events.filter(({ type }) => type !== 'content_block_stop');
    const stream = holed.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    nock(MODEL_URL).post('/v1/messages').reply(200, stream);

    expect(await failure(ask())).toMatchObject({ kind: 'cut' });
  });

  it('after its last event is an answer', async () => {
    modelAnswers(blocks, { cutAfter: events.length });

    expect(await ask()).toMatchObject({ stopReason: 'toolUse' });
  });

  it.each([
    ['overloaded_error', 'overloaded'],
    ['rate_limit_error', 'throttled'],
    ['api_error', 'server'],
    ['timeout_error', 'timeout'],
    ['a_new_kind_of_error', 'server'],
  ])('with the error %s is %s', async (type, kind) => {
    modelAnswers(blocks, { cutAfter: 8, errorEvent: { type, message: 'Overloaded' } });

    expect(await failure(ask())).toMatchObject({ kind });
  });
});

describe('a failure', () => {
  it.each([
    [429, {}, 'throttled'],
    [529, {}, 'overloaded'],
    [500, {}, 'server'],
    [502, { type: 'nobody_knows' }, 'server'],
    [503, { type: 'nobody_knows' }, 'server'],
    [504, { type: 'nobody_knows' }, 'timeout'],
    [408, { type: 'nobody_knows' }, 'timeout'],
    [409, { type: 'conflict_error' }, 'server'],
    [401, {}, 'auth'],
    [403, {}, 'auth'],
    [402, { type: 'billing_error' }, 'auth'],
    [429, { code: 'contract_spend_limit_reached' }, 'auth'],
    [400, { message: 'Your credit balance is too low' }, 'auth'],
    [400, { message: 'prompt is too long: 250000 tokens > 200000 maximum' }, 'overflow'],
    [413, {}, 'overflow'],
    [400, { message: 'Output blocked by content filtering policy' }, 'refused'],
    [400, { message: 'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum' }, 'picture'],
    [400, { message: 'The PDF specified is password protected.' }, 'picture'],
    [400, { message: 'messages.0: wrong' }, 'bad-request'],
    [404, { message: 'model: claude-nine' }, 'auth'],
    [404, { type: 'nobody_knows' }, 'auth'],
  ] as const)('with status %i %o is %s (FM1)', async (status, options, kind) => {
    modelFails(status, options);

    const error = await failure(ask());

    expect(error).toMatchObject({ name: 'ModelError', kind });
    expect(nock.isDone()).toBe(true);
  });

  it('is not repeated by the model itself', async () => {
    modelFails(500);
    const second = modelAnswers({ type: 'text', text: 'Hello' });

    await failure(ask());

    expect(second).toEqual([]);
  });

  it.each([
    ['seconds', { 'retry-after': '12' }, 12_000],
    ['a date', { 'retry-after': 'Sat, 21 Nov 2026 00:00:30 GMT' }, 30_000],
    ['milliseconds', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1_500],
    ['a date that is over', { 'retry-after': 'Fri, 20 Nov 2026 00:00:00 GMT' }, 0],
    ['nonsense', { 'retry-after': 'soon' }, undefined],
    ['nothing', {}, undefined],
  ])('says how long to stay away when told in %s (FM1)', async (_what, headers, retryAfterMs) => {
    modelFails(429, { headers });

    expect((await failure(ask())).retryAfterMs).toBe(retryAfterMs);
  });

  it('has a sentence for people, and hides keys everywhere', async () => {
    modelFails(401, { message: 'invalid x-api-key sk-ant-secret' });

    const error = await failure(ask());

    expect(error.message).toBe(
      'The model does not accept this bot. The person who runs it needs to check the name of the model, the API key and its account.',
    );
    expect(error.detail).toBe('401 authentication_error invalid x-api-key sk-ant-… req_1');
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND'])('to connect (%s) counts as one of the server', async (code) => {
    modelIsAway(code);

    expect(await failure(ask())).toMatchObject({ kind: 'server', detail: `connect ${code}` });
  });

  it('to parse the answer counts as a cut', async () => {
    nock(MODEL_URL).post('/v1/messages').reply(200, 'event: message_start\ndata: {"type"\n\n');

    expect(await failure(ask())).toMatchObject({ kind: 'cut' });
  });
});

describe('silence of the provider (FM3)', () => {
  const settings = { apiKey: 'k', model: 'claude-test', maxTokens: 1000 };

  it('before the answer is a timeout', async () => {
    const baseUrl = modelElsewhere();
    const impatient = createAnthropicModel({ ...settings, baseUrl, timeoutMs: 30, silenceMs: 30 });
    modelHangs(baseUrl);

    expect(await failure(ask({}, impatient))).toMatchObject({ kind: 'timeout' });
  });

  it.each([1, 2, 5, 12])('after %i events is a timeout', async (cutAfter) => {
    // Patient until the first word, so that only the silence after it can end it.
    const baseUrl = modelElsewhere();
    const listening = createAnthropicModel({ ...settings, baseUrl, timeoutMs: 5_000, silenceMs: 30 });
    modelAnswers([{ type: 'text', text: 'I will restart it.' }, restart], { cutAfter, cutBy: 'silence', url: baseUrl });

    expect(await failure(ask({}, listening))).toMatchObject({ kind: 'timeout' });
  });

  it('does not count while the provider sends pings', async () => {
    timeRunsAhead();
    const baseUrl = modelElsewhere();
    const patient = createAnthropicModel({ ...settings, baseUrl, timeoutMs: 5_000, silenceMs: 500 });
    modelAnswers({ type: 'text', text: 'Hello' }, { pings: 10, paceMs: 80, url: baseUrl });

    expect(await ask({}, patient)).toMatchObject({ stopReason: 'endTurn' });
  });
});

describe('an aborted call', () => {
  it('is never sent', async () => {
    const seen = modelAnswers({ type: 'text', text: 'Hello' });

    await expect(ask({ signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');

    expect(seen).toEqual([]);
  });

  it('ends at once with the reason, while it waits for the answer to begin', async () => {
    const baseUrl = modelElsewhere();
    const waiting = createAnthropicModel({
      apiKey: 'k',
      model: 'claude-test',
      maxTokens: 1000,
      baseUrl,
      timeoutMs: 5_000,
    });
    modelHangs(baseUrl);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('stopped')), 10);

    await expect(ask({ signal: stop.signal }, waiting)).rejects.toThrow('stopped');
  });

  it('ends at once with the reason, in the middle of the answer', async () => {
    modelAnswers({ type: 'text', text: 'Hello, Ann.' }, { cutAfter: 4, cutBy: 'silence' });
    const stop = new AbortController();

    await expect(ask({ signal: stop.signal, onText: () => stop.abort(new Error('stopped')) })).rejects.toThrow(
      'stopped',
    );
  });
});
