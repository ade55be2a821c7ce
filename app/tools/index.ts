import { currentTime } from './current-time.ts';
import type { Tool } from './tool.ts';

/** The tools every deployment has. Each argues its class in its own file, in the line `because`. */
export function builtInTools(deps: { readonly now: () => number }): readonly Tool[] {
  return [currentTime(deps)];
}

export { type RunToolOptions, runTool, type ToolRun } from './run-tool.ts';
export { definitionHash, type ToolTable, toolTable } from './table.ts';
export {
  defineTool,
  type Tool,
  type ToolDefinition,
  type ToolRunHelp,
  type TrustPreset,
} from './tool.ts';
export { ToolDefinitionError } from './tool-check.ts';
