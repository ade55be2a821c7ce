export {
  type BuiltInDeps,
  builtInTools,
  type FoundPerson,
  type ReadOptions,
  type SaidMessage,
  type ThreadReach,
} from './built-in/index.ts';
export { type Deadlines, impossibleDeadline, LONGEST_LIFETIME_MS, timetableOf } from './deadlines.ts';
export {
  ApproverId,
  type CallToApprove,
  type DecisionTerms,
  type FindApprovers,
  problemWithDeciders,
  readTerms,
  type WrittenTerms,
  writtenTermsShape,
} from './deciders.ts';
export { defineTool } from './define-tool.ts';
export { type FolderTool, loadToolFolder } from './folder/folder.ts';
export { importFile, notLoaded } from './folder/import-file.ts';
export { watchToolFolder } from './folder/watch.ts';
export { betweenReadings, tooLarge } from './input-size.ts';
export { type Looked, look, seePrecondition } from './look.ts';
export { cutText, jsonOf } from './output.ts';
export { applyPolicy, type ToolPolicy, ToolPolicySchema, type WrittenPolicy } from './policy.ts';
export { OutcomeUnknownError, type RunToolOptions, runTool, type ToolRun } from './run-tool.ts';
export { secret } from './secret.ts';
export { definitionHash, mayBeOfServer, type ToolTable, toolNow, toolTable } from './table.ts';
export {
  DEFAULT_TRUST,
  type DefinedTool,
  type PartFailed,
  type Tool,
  type ToolDefinition,
  type ToolRunHelp,
  type TrustPreset,
} from './tool.ts';
export { isTool, ToolDefinitionError } from './tool-check.ts';
export { checkWritten, problemText, type WrittenProblem } from './written.ts';
