/** What a deployment imports: its configuration and its tools. `z` comes from zod itself. */

export { defineRule, type Rule } from './authority/policy/rules.ts';
export { type ConfigInput, defineConfig, type ToolPolicy } from './config/file.ts';
export { OutcomeUnknownError } from './tools/run-tool.ts';
export { secret } from './tools/secret.ts';
export { defineTool, type Tool, type ToolDefinition, type ToolRunHelp, type TrustPreset } from './tools/tool.ts';
