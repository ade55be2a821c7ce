import { type Answer, type AnswerPart, text } from '../../model/answer.ts';
import type { MessagesRequest, ToolResult } from '../../model/request.ts';

interface Scene {
  readonly opening: string;
  readonly calls: readonly AnswerPart[];
  readonly closing: (results: Results) => string;
}

/** There is at least one. */
type Results = readonly [ToolResult, ...ToolResult[]];

/** Asks for the tools first, and closes when they have answered. Only tools that the request offers are called. */
export function withTools(request: MessagesRequest, scene: Scene): Answer {
  const [first, ...others] = request.results;
  if (first !== undefined) return scene.closing([first, ...others]);
  const offered = scene.calls.filter((part) => part.type === 'tool_use' && request.tools.includes(part.name));
  if (offered.length > 0) return { content: [text(scene.opening), ...offered] };
  const wanted = scene.calls.flatMap((part) => (part.type === 'tool_use' ? [part.name] : []));
  return `I would use ${[...new Set(wanted)].join(', ')} for that, but I was not given it.`;
}
