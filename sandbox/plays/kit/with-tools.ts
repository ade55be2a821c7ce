import { type Answer, type AnswerPart, text } from '../../model/answer.ts';
import { closing } from '../../model/closing.ts';
import type { MessagesRequest, ToolResult } from '../../model/request.ts';
import { phrasesOf } from './phrases.ts';

/** A turn of a play: what is said, which tools are called, and what is said when they have answered. */
export interface Scene {
  readonly opening: string;
  readonly calls: readonly AnswerPart[];
  /** The last words, or another scene. Without it, a sentence for each call says what became of it. */
  readonly closing?: (results: Results) => string | Scene;
}

/** There is at least one. */
export type Results = readonly [ToolResult, ...ToolResult[]];

/**
 * Asks for the tools first, and closes when they have answered. Only tools that the request offers are called. `results`
 * are those that no earlier scene has heard.
 */
export function withTools(request: MessagesRequest, scene: Scene, results = request.results): Answer {
  const offered = scene.calls.filter((part) => part.type === 'tool_use' && request.tools.includes(part.name));
  const [first, ...others] = results.slice(0, Math.max(offered.length, 1));
  if (first === undefined) {
    return offered.length > 0 ? { content: [text(scene.opening), ...offered] } : notGiven(scene.calls);
  }
  const said = (scene.closing ?? becameOf)([first, ...others]);
  return typeof said === 'string' ? said : withTools(request, said, results.slice(1 + others.length));
}

function notGiven(calls: readonly AnswerPart[]): string {
  const wanted = calls.flatMap((part) => (part.type === 'tool_use' ? [part.name] : []));
  return `I would use ${[...new Set(wanted)].join(', ')} for that, but I was not given it.`;
}

function becameOf(results: Results): string {
  return results.map((result) => closing(result, phrasesOf(result.tool))).join('\n\n');
}
