/** What a deployment imports: its configuration and its tools. `z` comes from zod itself. */

export { defineRule, type Rule } from './authority/index.ts';
export { type ConfigInput, defineConfig, type ToolPolicy } from './config/index.ts';
export {
  defineTool,
  OutcomeUnknownError,
  secret,
  type Tool,
  type ToolDefinition,
  type ToolRunHelp,
  type TrustPreset,
} from './tools/index.ts';
