import type { ModelFunction } from '../agent/index.ts';
import { createAnthropicModel } from '../agent/model/index.ts';
import type { Config, Environment } from '../config/index.ts';

/** Opens the model that the environment or the configuration names, with the key of the environment. */
export function openModel({ anthropic }: Environment, { model }: Config): ModelFunction {
  return createAnthropicModel({
    apiKey: anthropic.apiKey,
    baseUrl: anthropic.baseUrl,
    model: anthropic.model ?? model.name,
    maxTokens: model.maxTokens,
    thinking: model.thinking,
    webSearch: model.webSearch,
    timeoutMs: model.timeoutMs,
    silenceMs: model.silenceMs,
  });
}
