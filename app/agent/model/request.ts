import type { MessageCreateParamsStreaming, TextBlockParam, ToolUnion } from '@anthropic-ai/sdk/resources/messages';
import { isJsonObject } from '../../json.ts';
import type { ModelRequest, ToolSpec } from '../ports.ts';
import { toMessageParams } from './messages.ts';

export interface RequestSettings {
  readonly model: string;
  readonly maxTokens: number;
  /** A number of tokens for thinking, or `adaptive`. By default the request does not mention thinking. */
  readonly thinking?: 'adaptive' | number | undefined;
  /** Runs at the provider, where no gate of the bot stands. Sent only when a deployment has given a reason. */
  readonly webSearch?: { readonly maxUses: number } | undefined;
}

const CACHE = { cache_control: { type: 'ephemeral' } } as const;

/**
 * A request in the provider's shape.
 *
 * It has up to three cache points, each at the end of something that stays: tools and system prompt, the last message
 * of a person in the request before, and the last one of this request. So every turn reads from the cache what the turn
 * before has written, and writes only what is new.
 */
export function toParams(request: ModelRequest, settings: RequestSettings): MessageCreateParamsStreaming {
  const { system, messages, tools, forceTool } = request;
  return {
    model: settings.model,
    max_tokens: settings.maxTokens,
    stream: true,
    messages: toMessageParams(messages),
    ...(system === undefined || system === '' ? {} : { system: [systemText(system)] }),
    ...toTools(tools, settings, !system),
    ...(forceTool === undefined
      ? thinkingOf(settings.thinking)
      : // A forced tool and thinking exclude each other.
        { tool_choice: { type: 'tool', name: forceTool } }),
  };
}

function toTools(tools: readonly ToolSpec[], { webSearch }: RequestSettings, cached: boolean): { tools?: ToolUnion[] } {
  const own = tools.map((tool, index) => toTool(tool, cached && index === tools.length - 1));
  const search: ToolUnion[] =
    webSearch === undefined ? [] : [{ type: 'web_search_20250305', name: 'web_search', max_uses: webSearch.maxUses }];
  const all = [...search, ...own];
  return all.length === 0 ? {} : { tools: all };
}

function systemText(text: string): TextBlockParam {
  return { type: 'text', text, ...CACHE };
}

function toTool({ name, description, inputSchema }: ToolSpec, cached: boolean): ToolUnion {
  return {
    name,
    description,
    input_schema: { ...(isJsonObject(inputSchema) ? inputSchema : {}), type: 'object' },
    ...(cached ? CACHE : {}),
  };
}

function thinkingOf(thinking: RequestSettings['thinking']): Pick<MessageCreateParamsStreaming, 'thinking'> {
  if (thinking === undefined || thinking === 0) return {};
  return { thinking: thinking === 'adaptive' ? { type: 'adaptive' } : { type: 'enabled', budget_tokens: thinking } };
}
