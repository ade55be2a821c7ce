import type { ToolResultBlock } from '../../../interventions/index.ts';
import type { ToolOutput } from '../ports.ts';
import { errorResult } from '../transcript.ts';

/** What the model is told that a tool returned. If a tool in plain JavaScript returns a wrong type, that is an error. */
export function successResult(toolUseId: string, output: unknown): ToolResultBlock {
  if (output === undefined || output === null) return errorResult(toolUseId, 'The tool gave no result.');
  if (!isOutput(output)) {
    return errorResult(toolUseId, 'The tool gave a result that is neither a text nor a list of blocks.');
  }
  const content = typeof output === 'string' ? [{ type: 'text' as const, text: output }] : output;
  return { type: 'toolResult', toolUseId, status: 'success', content };
}

function isOutput(output: unknown): output is ToolOutput {
  return typeof output === 'string' || (Array.isArray(output) && output.every(isBlock));
}

function isBlock(block: unknown): boolean {
  if (typeof block !== 'object' || block === null || !('type' in block)) return false;
  if (block.type === 'text') return 'text' in block && typeof block.text === 'string';
  return (block.type === 'image' || block.type === 'document') && 'base64' in block && typeof block.base64 === 'string';
}
