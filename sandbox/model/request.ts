import { given } from '../../app/given.ts';
import { type ApiJson, type ApiObject, isObject } from '../json.ts';

/** A request to the Messages API, read as far as a scripted answer needs it. */
export interface MessagesRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly string[];
  /** The tool that the caller insists on, if any. */
  readonly forcedTool: string | undefined;
  /** The last thing a person said, unchanged. */
  readonly said: string;
  /** What the tools answered since then, in order. */
  readonly results: readonly ToolResult[];
  /** The same request without what a person said beside results that no answer has followed. Those results are its own. */
  readonly before?: MessagesRequest;
  readonly body: ApiObject;
}

export interface ToolResult {
  readonly tool: string;
  readonly input: ApiJson;
  readonly text: string;
  readonly isError: boolean;
}

export type ReadRequest =
  | { readonly type: 'fine'; readonly request: MessagesRequest }
  | { readonly type: 'refused'; readonly message: string };

/** Refuses what the real API would refuse, so that a broken transcript is found here and not in production. */
export function readRequest(body: ApiJson | undefined): ReadRequest {
  if (!isObject(body)) return refused('The request body is not valid JSON.');
  if (hasHalfCharacter(body)) return refused('The request body is not valid JSON: no low surrogate in string');
  if (typeof body.model !== 'string') return refused('model: Field required');
  if (typeof body.max_tokens !== 'number') return refused('max_tokens: Field required');
  const messages = listOf(body.messages);
  if (messages.length === 0) return refused('messages: at least one message is required');
  const problem = messages.map((_, index) => problemAt(messages, index)).find((found) => found !== undefined);
  if (problem !== undefined) return refused(problem);
  if (hasTwice(messages, 'tool_use', 'id')) return refused('messages: `tool_use` ids must be unique');
  if (hasTwice(messages, 'tool_result', 'tool_use_id')) {
    return refused(
      'messages: each tool_use must have a single result. Found multiple `tool_result` blocks with one id',
    );
  }
  const spoken = messages.findLastIndex((message) => message.role === 'user' && textOf(message).trim() !== '');
  const choice = isObject(body.tool_choice) ? body.tool_choice : {};
  const before = beforeSpeech(body, messages);
  return {
    type: 'fine',
    request: {
      ...given({ before }),
      model: body.model,
      stream: body.stream === true,
      tools: listOf(body.tools).flatMap((tool) => (typeof tool.name === 'string' ? [tool.name] : [])),
      forcedTool: choice.type === 'tool' && typeof choice.name === 'string' ? choice.name : undefined,
      said: spoken === -1 ? '' : textOf(messages[spoken] ?? {}),
      results: resultsAfter(messages, spoken),
      body,
    },
  };
}

function beforeSpeech(body: ApiObject, messages: readonly ApiObject[]): MessagesRequest | undefined {
  const from = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const latest = messages.slice(from);
  const results = latest.flatMap(blocksOf).filter(({ type }) => type === 'tool_result');
  if (results.length === 0 || latest.every((message) => textOf(message).trim() === '')) return undefined;
  const unsaid = [...messages.slice(0, from), { role: 'user', content: results }];
  const read = readRequest({ ...body, messages: unsaid });
  return read.type === 'fine' ? read.request : undefined;
}

function problemAt(messages: readonly ApiObject[], index: number): string | undefined {
  const message = messages[index] ?? {};
  if (message.role !== 'user' && message.role !== 'assistant') return `messages.${index}.role: Input should be 'user'`;
  if (index === 0 && message.role !== 'user') return 'messages.0: the first message must use the "user" role';
  const blocks = blocksOf(message);
  if (blocks.length === 0 && index < messages.length - 1) {
    return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
  }
  if (blocks.some((block) => block.type === 'text' && block.text === '')) {
    return `messages.${index}: text content blocks must be non-empty`;
  }
  if (blocks.some(isBrokenPicture)) return `messages.${index}: image.source.base64.data: Could not process image`;
  const misnamed = blocks.some(({ type, name }) => type === 'tool_use' && !/^[a-zA-Z0-9_-]{1,128}$/.test(`${name}`));
  if (misnamed) return `messages.${index}: tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
  const next = blocksOf(messages[index + 1] ?? {});
  const answered = new Set(next.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])));
  const asked = message.role === 'assistant' ? blocks.filter((block) => block.type === 'tool_use') : [];
  const open = asked.find((block) => !answered.has(block.id));
  if (open !== undefined) {
    return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${String(open.id)}`;
  }
  const before = blocksOf(messages[index - 1] ?? {});
  const known = new Set(before.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
  const stray = blocks.find((block) => block.type === 'tool_result' && !known.has(block.tool_use_id));
  if (stray !== undefined) {
    return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(stray.tool_use_id)}`;
  }
  return undefined;
}

/** A PNG without its end, also in the result of a tool. */
function isBrokenPicture(block: ApiObject): boolean {
  if (block.type === 'tool_result') return listOf(block.content).some(isBrokenPicture);
  const { media_type: kind, data } = isObject(block.source) ? block.source : {};
  return kind === 'image/png' && !Buffer.from(`${data}`, 'base64').includes('IEND');
}

function hasHalfCharacter(value: ApiJson | undefined): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => !name.isWellFormed() || hasHalfCharacter(inner));
}

function hasTwice(messages: readonly ApiObject[], type: string, name: string): boolean {
  const ids = messages.flatMap(blocksOf).flatMap((block) => (block.type === type ? [block[name]] : []));
  return new Set(ids).size < ids.length;
}

function resultsAfter(messages: readonly ApiObject[], spoken: number): readonly ToolResult[] {
  const calls = new Map(
    messages.flatMap(blocksOf).flatMap((block) => (block.type === 'tool_use' ? [[block.id, block] as const] : [])),
  );
  return messages
    .slice(spoken + 1)
    .flatMap(blocksOf)
    .filter((block) => block.type === 'tool_result')
    .map((block) => {
      const call = calls.get(block.tool_use_id);
      return {
        tool: typeof call?.name === 'string' ? call.name : '',
        input: call?.input ?? null,
        text: contentText(block.content),
        isError: block.is_error === true,
      };
    });
}

function textOf(message: ApiObject): string {
  return blocksOf(message)
    .flatMap((block) => (block.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
    .join('\n');
}

function blocksOf(message: ApiObject): readonly ApiObject[] {
  if (typeof message.content === 'string') return [{ type: 'text', text: message.content }];
  return listOf(message.content);
}

function contentText(content: ApiJson | undefined): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .flatMap((block) => (typeof block.text === 'string' ? [block.text] : []))
    .join('\n');
}

function listOf(value: ApiJson | undefined): readonly ApiObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function refused(message: string): ReadRequest {
  return { type: 'refused', message };
}
