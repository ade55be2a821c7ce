export { type BuiltInDeps, builtInTools } from './built-in/index.ts';
export { type DecisionTerms, problemWithDeciders, type StageTerms } from './deciders.ts';
export { type Looked, type LookHelp, look, seePrecondition } from './look.ts';
export { OutcomeUnknownError, type RunToolOptions, runTool, type ToolRun } from './run-tool.ts';
export { secret } from './secret.ts';
export { definitionHash, type ToolTable, toolTable } from './table.ts';
export {
  DEFAULT_TRUST,
  type DefinedTool,
  defineTool,
  type PartFailed,
  type Tool,
  type ToolDefinition,
  type ToolRunHelp,
  type TrustPreset,
} from './tool.ts';
export { ToolDefinitionError } from './tool-check.ts';
