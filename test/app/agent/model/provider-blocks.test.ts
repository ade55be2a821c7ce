import { describe, expect, it } from 'vitest';
import { providerBlockText } from '../../../../app/agent/model/provider-blocks.ts';
import { toParams } from '../../../../app/agent/model/request.ts';
import { checkConfig } from '../../../../app/config/check.ts';

const settings = { model: 'm', maxTokens: 100 };
const request = { system: undefined, messages: [], tools: [{ name: 'look', description: '', inputSchema: {} }] };

describe('tools that run at the provider', () => {
  it('are not sent unless a deployment gives a reason', () => {
    expect(checkConfig({}, { now: () => 0 }).model.webSearch).toBeUndefined();
    expect(toParams(request, settings).tools).toMatchObject([{ name: 'look' }]);
    expect(JSON.stringify(toParams(request, settings))).not.toContain('web_search');
  });

  it('may be web search, with a reason', () => {
    const { model } = checkConfig(
      { model: { webSearch: { because: 'Everybody may read the web.' } } },
      { now: () => 0 },
    );

    expect(toParams(request, { ...settings, webSearch: model.webSearch }).tools).toMatchObject([
      { type: 'web_search_20250305', max_uses: 5 },
      { name: 'look' },
    ]);
  });

  it.each([
    ['web search without a reason', { webSearch: {} }, /webSearch\.because must be a reason/],
    ['code execution', { codeExecution: {} }, /codeExecution/],
    ['tool servers at the provider', { mcpServers: [] }, /mcpServers/],
  ])('are refused at start when they are %s', (_what, model, message) => {
    expect(() => checkConfig({ model }, { now: () => 0 })).toThrow(message);
  });
});

describe('a block that only the provider understands', () => {
  it.each([
    [
      { type: 'server_tool_use', name: 'web_search', input: { query: 'weather\nin Oslo' } },
      ['Used “web_search” at the model’s provider: “weather in Oslo”.'],
    ],
    [
      { type: 'web_search_tool_result', content: [{ title: 'Yr', url: 'https://www.yr.no/oslo?x=1' }] },
      ['Found “Yr” at www.yr.no.'],
    ],
    [{ type: 'web_search_tool_result', content: [] }, ['The search found nothing.']],
    [
      { type: 'web_search_tool_result', content: { error_code: 'max_uses_exceeded' } },
      ['The search failed: max_uses_exceeded.'],
    ],
    [{ type: 'redacted_thinking', data: 'x' }, []],
    [null, []],
  ])('is described in words: %j', (block, words) => {
    expect(providerBlockText(block)).toEqual(words);
  });

  it('names a source without its address, so that Slack makes no link', () => {
    const [text = ''] = providerBlockText({
      type: 'web_search_tool_result',
      content: [{ title: 'Press here', url: 'https://evil.example/steal?secret=1' }],
    });

    expect(text).toBe('Found “Press here” at evil.example.');
  });
});
