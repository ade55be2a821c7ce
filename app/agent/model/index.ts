export { ModelError } from './error.ts';
export { createAnthropicModel } from './model.ts';
export { ModelOutputLimitError } from './output-limit.ts';
export { providerBlockText } from './provider-blocks.ts';
export { type RetryOptions, withRetry } from './retry.ts';
