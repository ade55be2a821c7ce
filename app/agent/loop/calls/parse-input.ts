import { InterventionError, type Json, thrownText } from '../../../../interventions/index.ts';
import type { LoopTool, ParsedInput } from '../../ports.ts';

/** The input as its tool reads it. A check that throws is a problem with the input, not the end of the run. */
export function parseInput(tool: LoopTool, input: Json): ParsedInput {
  const parsed = parsedBy(tool, input);
  const isRead = parsed?.ok === true ? 'input' in parsed : parsed?.ok === false && typeof parsed.problem === 'string';
  if (isRead) return parsed;
  throw new InterventionError(
    `parse of ${tool.name} returned neither an input nor a problem. Return { ok: true, input } or { ok: false, problem }, and no promise.`,
  );
}

function parsedBy(tool: LoopTool, input: Json): ParsedInput {
  try {
    return tool.parse(input);
    // The check is code of the program and may throw. The model is told, as it is when the tool throws.
  } catch (error) {
    return { ok: false, problem: `its check failed (${thrownText(error)}).` };
  }
}
