/** What a deployment imports: its configuration and its tools. `z` comes from zod itself. */

export { defineRule, type Rule } from './authority/index.ts';
export { type ConfigInput, defineConfig, type WrittenPolicy } from './config/index.ts';
export {
  type CallToApprove,
  defineTool,
  type FindApprovers,
  OutcomeUnknownError,
  secret,
  type Tool,
  type ToolDefinition,
  type ToolRunHelp,
  type TrustPreset,
} from './tools/index.ts';
