/** All that a program needs to run an agent without Slack. `docs/library.md` has an example. */
export type { LoopLimits, LoopTool, ModelFunction, Usage } from '../index.ts';
export { slidingWindow } from '../index.ts';
export { createAnthropicModel } from '../model/index.ts';
export { Agent } from './agent.ts';
export type { DirectCall, DirectCallOptions } from './direct.ts';
export type { AgentInput } from './input/input.ts';
export { createFileSession } from './memory/file-session.ts';
export { createMemorySession, type SessionManager } from './memory/session.ts';
export { summarising } from './memory/summarising.ts';
export type { AgentModel, AgentOptions, AgentSnapshot, InvokeOptions, WhileWaiting } from './options.ts';
export type { AgentResult } from './result.ts';
export { type OutputSchema, StructuredOutputError } from './structured.ts';
export type { ToolProvider, ToolSource } from './tools.ts';
export type { AgentItem } from './view.ts';
