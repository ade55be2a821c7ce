import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toMessageParams } from '../../../../app/agent/model/messages.ts';
import { type AnthropicModelOptions, createAnthropicModel } from '../../../../app/agent/model/model.ts';
import type { ModelRequest } from '../../../../app/agent/ports.ts';
import type { ContentBlock, Json, Message } from '../../../../interventions/index.ts';
import { closeNetwork, MODEL_URL, modelAnswers, openNetwork } from '../../../support/anthropic.ts';

beforeEach(closeNetwork);
afterEach(openNetwork);

const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: ContentBlock[]): Message => ({ role: 'assistant', content });
const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const call = (toolUseId: string, input: Json) =>
  ({ type: 'toolUse', toolUseId, name: 'restart_service', input }) as const;
const result = (toolUseId: string, ...content: { readonly type: 'text'; readonly text: string }[]) =>
  ({ type: 'toolResult', toolUseId, status: 'success', content }) as const;

const tool = (name: string) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
});

/** What really goes over the wire. */
async function sent(request: Partial<ModelRequest>, options: Partial<AnthropicModelOptions> = {}) {
  const model = createAnthropicModel({
    apiKey: 'key',
    baseUrl: MODEL_URL,
    model: 'claude-test',
    maxTokens: 4000,
    timeoutMs: 5_000,
    ...options,
  });
  const seen = modelAnswers({ type: 'text', text: 'Done.' });
  await model(
    { system: 'Be brief.', messages: [user(text('Hello'))], tools: [], ...request },
    { signal: new AbortController().signal, onText: () => {} },
  );
  const [only] = seen;
  if (only === undefined) throw new Error('Nothing was sent.');
  return only;
}

describe('a request', () => {
  it('has no half characters in its texts, its instructions and the names of an input, and keeps whole ones (EDGE-7)', async () => {
    const input = { '\ud83d': ['\udc00 \ud83d\ude00 \\ud83d'] };
    const messages: readonly Message[] = [
      { role: 'user', content: [text('half \ud83d')] },
      { role: 'assistant', content: [{ type: 'toolUse', toolUseId: 't1', name: 'a', input }] },
    ];

    const { body } = await sent({ system: 'half \ud83d', messages });

    expect(body.system).toMatchObject([{ text: 'half \ufffd' }]);
    expect(body.messages[0]?.content).toMatchObject([{ text: 'half \ufffd' }]);
    expect(body.messages[1]?.content).toMatchObject([{ input: { '\ufffd': ['\ufffd \ud83d\ude00 \\ud83d'] } }]);
  });

  it('names the model, its limit, the key and the tools, and streams', async () => {
    const { body, headers } = await sent({ tools: [tool('a'), tool('b')] });

    expect(headers).toMatchObject({ authorization: 'Bearer key' });
    expect(body).toMatchObject({ model: 'claude-test', max_tokens: 4000, stream: true });
    expect(body.tools).toEqual([
      { name: 'a', description: 'Does a.', input_schema: { type: 'object', properties: {} } },
      { name: 'b', description: 'Does b.', input_schema: { type: 'object', properties: {} } },
    ]);
  });

  it.each([
    [undefined, undefined],
    [0, undefined],
    ['adaptive', { type: 'adaptive' }],
    [2048, { type: 'enabled', budget_tokens: 2048 }],
  ] as const)('with thinking %s says %o', async (thinking, expected) => {
    expect((await sent({}, { thinking })).body.thinking).toEqual(expected);
  });

  it('that forces a tool does not think, because both at once are refused', async () => {
    const { body } = await sent({ tools: [tool('answer')], forceTool: 'answer' }, { thinking: 2048 });

    expect(body.tool_choice).toEqual({ type: 'tool', name: 'answer' });
    expect(body.thinking).toBeUndefined();
  });

  it('offers no tool that runs at the provider', async () => {
    const { body } = await sent({ tools: [tool('a')] });

    expect(JSON.stringify(body.tools)).not.toContain('"type":"web_search');
    expect(body.mcp_servers).toBeUndefined();
  });
});

describe('a transcript', () => {
  it('keeps thinking with its signature, calls and results as they were', async () => {
    const { body } = await sent({
      messages: [
        user(text('Restart payments')),
        assistant(
          { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
          text('I will.'),
          call('toolu_1', { service: 'payments' }),
        ),
        user({ ...result('toolu_1', { type: 'text', text: 'No.' }), status: 'error' }),
      ],
    });

    expect(body.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
          { type: 'text', text: 'I will.' },
          { type: 'tool_use', id: 'toolu_1', name: 'restart_service', input: { service: 'payments' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            is_error: true,
            content: [{ type: 'text', text: 'No.' }],
            cache_control: { type: 'ephemeral' },
          },
        ],
      },
    ]);
  });

  it('sends back as it came what only the provider understands', async () => {
    const value = { type: 'redacted_thinking', data: 'b3BhcXVl' };
    const { body } = await sent({
      messages: [user(text('Hi')), assistant({ type: 'opaque', value }, text('Hi')), user(text('So'))],
    });

    expect(body.messages[1]?.content[0]).toEqual(value);
  });

  it('puts results before messages that came meanwhile, advice included', () => {
    const params = toMessageParams([
      user(text('Restart payments')),
      assistant(call('toolu_1', {})),
      { role: 'user', content: [text('Look at search first.')], origin: 'guidance' },
      user(text('Hurry')),
      user(result('toolu_1', { type: 'text', text: 'Restarted.' })),
    ]);

    expect(params.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(params[2]?.content).toMatchObject([
      { type: 'tool_result' },
      { type: 'text', text: 'Look at search first.' },
      { type: 'text', text: 'Hurry' },
    ]);
  });

  it('leaves out empty blocks, and thinking without a signature', () => {
    const params = toMessageParams([
      user(text('Hello')),
      assistant(text(' \n'), { type: 'thinking', thinking: 'Hm.', signature: '' }),
      user(text('Still there?')),
    ]);

    expect(params).toMatchObject([{ role: 'user', content: [{ text: 'Hello' }, { text: 'Still there?' }] }]);
  });

  it('begins with a message of a person', () => {
    expect(toMessageParams([assistant(text('Hello')), user(text('Hi'))])).toMatchObject([
      { role: 'user', content: [{ text: '(What was said before is left out.)' }] },
      { role: 'assistant' },
      { role: 'user' },
    ]);
  });

  it('may end with the answer that was paused, without blank space at its end', () => {
    expect(toMessageParams([user(text('Search')), assistant(text('Searching \n'))]).at(-1)).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'Searching' }],
    });
  });

  it('shows the model its own input when that was not valid JSON (FM4)', () => {
    expect(
      toMessageParams([user(text('Hi')), assistant(call('toolu_1', '{"serv')), user(result('toolu_1'))]),
    ).toMatchObject([
      {},
      { content: [{ type: 'tool_use', input: { unreadable: '{"serv' } }] },
      { content: [{ type: 'tool_result', content: [{ type: 'text', text: '(no output)' }] }] },
    ]);
  });

  it('gives calls and results that belong together one id the provider accepts', () => {
    const [, asked, answered] = toMessageParams([
      user(text('Hi')),
      assistant(call('run:1/2', {})),
      user(result('run:1/2')),
    ]);

    const [use] = asked?.content ?? [];
    expect(use).toMatchObject({ id: expect.stringMatching(/^[a-zA-Z0-9_-]+$/) });
    expect(answered?.content[0]).toMatchObject({ tool_use_id: typeof use === 'object' && 'id' in use && use.id });
  });

  it('gives a call a new id when its id was used before, and its result too (FM4)', () => {
    const ids = toMessageParams([
      user(text('Hi')),
      assistant(call('a', {}), call('a', {}), call('b', {})),
      user(result('a'), result('a'), result('b')),
      assistant(call('a', {}), call('a-2', {})),
      user(result('a'), result('a-2')),
    ]).flatMap(({ content }) =>
      (typeof content === 'string' ? [] : content).flatMap((block) => {
        if (block.type === 'tool_use') return [`asks ${block.id}`];
        return block.type === 'tool_result' ? [`tells ${block.tool_use_id}`] : [];
      }),
    );

    expect(ids).toEqual([
      ...['asks a', 'asks a-2', 'asks b', 'tells a', 'tells a-2', 'tells b'],
      ...['asks a-3', 'asks a-2-2', 'tells a-3', 'tells a-2-2'],
    ]);
  });

  it.each([
    [
      'a picture',
      'image',
      'image/png',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } },
    ],
    [
      'a PDF',
      'document',
      'application/pdf',
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'QUJD' }, title: 'a' },
    ],
    [
      'a text file',
      'document',
      'text/csv',
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'ABC' }, title: 'a' },
    ],
    [
      'anything else',
      'image',
      'image/heic',
      { type: 'text', text: '[image a (image/heic) is of a kind the model cannot read]' },
    ],
  ] as const)('shows the model %s', (_what, type, mediaType, expected) => {
    const [first] = toMessageParams([user({ type, mediaType, base64: 'QUJD', name: 'a' }, text('What is it?'))]);

    expect(first?.content[0]).toEqual(expected);
  });

  it('alternates, begins with a person and has no blank text, whatever it holds', () => {
    const block = fc.oneof(
      fc.string().map(text),
      fc.constant(call('t', {})),
      fc.constant(result('t')),
      fc.constant<ContentBlock>({ type: 'image', mediaType: 'image/png', base64: 'QUJD' }),
    );
    const message = fc.record({
      role: fc.constantFrom('user', 'assistant'),
      content: fc.array(block, { maxLength: 4 }),
    });

    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const params = toMessageParams(messages);

        expect(params.every(({ role }, index) => role === (index % 2 === 0 ? 'user' : 'assistant'))).toBe(true);
        expect(JSON.stringify(params)).not.toMatch(/"type":"text","text":"\s*"/);
        expect(cachePoints(params)).toBeLessThanOrEqual(2);
      }),
    );
  });
});

describe('the cache', () => {
  const first = [user(text('Restart payments'))];
  const second = [
    ...first,
    assistant(call('toolu_1', {})),
    user(result('toolu_1', { type: 'text', text: 'Restarted.' })),
  ];
  const third = [...second, assistant(text('Done.')), user(text('And search?'))];

  it('has its points after tools and system, and at the end of the previous request', async () => {
    const { body } = await sent({ messages: third, tools: [tool('a')] });

    expect(body.system).toEqual([{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }]);
    expect(body.messages.map(({ content }) => 'cache_control' in (content.at(-1) ?? {}))).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
    expect(cachePoints(body)).toBeLessThanOrEqual(4);
  });

  it('has its first point after the tools when there is no system prompt', async () => {
    const { body } = await sent({ system: undefined, tools: [tool('a'), tool('b')] });

    expect(body.tools).toMatchObject([{ name: 'a' }, { name: 'b', cache_control: { type: 'ephemeral' } }]);
    expect(body.system).toBeUndefined();
  });

  it('is always read up to the point that the previous request wrote', async () => {
    const requests = [];
    for (const messages of [first, second, third]) requests.push((await sent({ messages, tools: [tool('a')] })).body);

    const [one, two, three] = requests.map(({ messages }) => messages);
    const withoutPoints = (value: unknown) =>
      JSON.parse(JSON.stringify(value).replaceAll(/,"cache_control":\{[^}]*\}/g, ''));
    expect(withoutPoints(two?.slice(0, 1))).toEqual(withoutPoints(one));
    expect(two?.[0]?.content).toEqual(one?.[0]?.content);
    expect(withoutPoints(three?.slice(0, 3))).toEqual(withoutPoints(two));
    expect(three?.[2]?.content).toEqual(two?.[2]?.content);
  });
});

const cachePoints = (value: unknown) => JSON.stringify(value).split('"cache_control"').length - 1;
