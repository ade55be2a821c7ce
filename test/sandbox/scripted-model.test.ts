import Anthropic from '@anthropic-ai/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { call, text } from '../../sandbox/model/answer.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';

let sandbox: Sandbox;
let client: Anthropic;

beforeEach(async () => {
  sandbox = await startSandbox();
  client = new Anthropic({ apiKey: 'sandbox', baseURL: sandbox.anthropicBaseUrl, maxRetries: 0 });
});

afterEach(() => sandbox.close());

const tools = ['restart_service', 'service_status', 'drop_database', 'run_report'].map((name) => ({
  name,
  description: name,
  input_schema: { type: 'object' as const },
}));

const ask = (...messages: Anthropic.MessageParam[]) => {
  const request = { model: 'claude-sandbox', max_tokens: 1000, tools, messages };
  return client.messages.stream(request).finalMessage();
};

const says = (content: string): Anthropic.MessageParam => ({ role: 'user', content });

const answered = (message: Anthropic.Message, content: string, isError = false): Anthropic.MessageParam[] => [
  { role: 'assistant', content: message.content },
  {
    role: 'user',
    content: message.content
      .filter((part) => part.type === 'tool_use')
      .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content, is_error: isError })),
  },
];

it('the scripted model asks for a tool in a stream that the real client understands, and answers when it has run', async () => {
  const first = await ask(says('<@U0BOT00001> restart the payments service'));
  expect(first.stop_reason).toBe('tool_use');
  expect(first.content).toMatchObject([
    { type: 'text', text: 'I will restart the payments service.' },
    { type: 'tool_use', name: 'restart_service', input: { service: 'payments' } },
  ]);
  expect(first.usage.output_tokens).toBeGreaterThan(0);

  const last = await ask(says('restart the payments service'), ...answered(first, 'restarted'));
  expect(last.content).toMatchObject([{ type: 'text', text: 'Done. The payments service was restarted.' }]);
});

it('the scripted model sends words and the input of a tool in several pieces', async () => {
  const stream = client.messages.stream({ model: 'm', max_tokens: 9, tools, messages: [says('restart everything')] });
  const deltas = { text_delta: 0, input_json_delta: 0 };
  stream.on('streamEvent', (event) => {
    if (event.type !== 'content_block_delta') return;
    if (event.delta.type === 'text_delta' || event.delta.type === 'input_json_delta') deltas[event.delta.type] += 1;
  });

  const message = await stream.finalMessage();

  expect(message.content.filter((part) => part.type === 'tool_use').map(({ input }) => input)).toEqual([
    { service: 'payments' },
    { service: 'search' },
    { service: 'mail' },
  ]);
  expect(deltas.text_delta).toBeGreaterThan(1);
  expect(deltas.input_json_delta).toBeGreaterThan(3 * 2);
});

it('the scripted model accepts a refusal, and quotes only what it was told', async () => {
  const first = await ask(says('drop the old database'));
  const last = await ask(
    says('drop the old database'),
    ...answered(first, 'CONFIRMATION_FAILED: A person refused this tool call.', true),
  );

  expect(last.content).toMatchObject([{ text: 'Understood, the database stays. I can list what is in it instead.' }]);
});

it('the scripted model says what became of a call before it answers what was said meanwhile, together or apart (SURF-1)', async () => {
  const first = await ask(says('restart the payments service'));
  const asked = says('restart the payments service');
  const results = answered(first, 'restarted');
  const apart = await ask(asked, ...results, says('status'));
  const joined = results.map((message) =>
    message.role === 'user' && typeof message.content !== 'string'
      ? { ...message, content: [...message.content, HELLO] }
      : message,
  );
  const together = await ask(asked, ...joined);

  const done = { type: 'text', text: 'Done. The payments service was restarted.' };
  expect(apart.content).toMatchObject([done, { type: 'text', text: 'Let me look.' }, { name: 'service_status' }]);
  expect(together.content).toMatchObject([
    { text: 'Done. The payments service was restarted.\n\nHello! Ask me to restart a service, or for its status.' },
  ]);
});

it('the scripted model brings 100 KB of hostile input through the stream unharmed', async () => {
  const message = await ask(says('hostile'));
  const report = message.content.find((part) => part.type === 'tool_use');

  expect(JSON.stringify(report?.input).length).toBeGreaterThan(100_000);
  expect(JSON.stringify(report?.input)).toContain('<!channel>');
});

it('the scripted model calls no tool that the request does not offer', async () => {
  const request = { model: 'm', max_tokens: 9, messages: [says('status')] };
  const message = await client.messages.create(request);

  expect(message.content).toMatchObject([{ text: 'I would use service_status for that, but I was not given it.' }]);
});

it('the scripted model says what it can play when it does not understand', async () => {
  const message = await ask(says('sing me a song'));

  expect(message.content).toMatchObject([{ text: expect.stringContaining('- restart the payments service') }]);
});

it('the scripted model gives the answers that a test has queued, before its own', async () => {
  sandbox.model.next('First.', { content: [text('Second.'), call('anything', { deep: ['ünï', 1, null] })] });

  expect((await ask(says('hello'))).content).toMatchObject([{ text: 'First.' }]);
  expect((await ask(says('hello'))).content).toMatchObject([
    { text: 'Second.' },
    { name: 'anything', input: { deep: ['ünï', 1, null] } },
  ]);
  expect(sandbox.model.requests.map(({ said }) => said)).toEqual(['hello', 'hello']);
});

it.each([
  [{ type: 'rate-limited', retryAfterSeconds: 3 } as const, Anthropic.RateLimitError],
  [{ type: 'status', status: 529 } as const, Anthropic.InternalServerError],
  [{ type: 'status', status: 500 } as const, Anthropic.InternalServerError],
  [{ type: 'lost' } as const, Anthropic.APIConnectionError],
])('the scripted model fails as it was told to: %o', async (fault, error) => {
  sandbox.model.faults.set('messages', fault);

  await expect(ask(says('hello'))).rejects.toBeInstanceOf(error);
  expect((await ask(says('hello'))).content).toHaveLength(1);
});

it('the scripted model breaks off in the middle of a stream', async () => {
  sandbox.model.faults.set('messages', { type: 'cut', afterEvents: 4 });

  await expect(ask(says('hello'))).rejects.toThrow();
});

it('the scripted model refuses a transcript in which a tool call was never answered', async () => {
  const first = await ask(says('status'));
  const broken = ask(says('status'), { role: 'assistant', content: first.content }, says('and?'));

  await expect(broken).rejects.toThrow('`tool_use` ids were found without `tool_result`');
});

const HELLO = { type: 'text', text: 'hello' } as const;
