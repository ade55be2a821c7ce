import type {
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  MessageParam,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import {
  type ContentBlock,
  type Json,
  type MediaBlock,
  type Message,
  type ToolResultBlock,
  unreachable,
} from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import { isJsonObject } from '../../json.ts';
import { type Param, withUniqueIds } from './ids.ts';

/**
 * A transcript in the provider's shape. The provider wants roles to alternate, no empty message, and a person first. So
 * neighbours of one role are joined, and empty messages are left out.
 */
export function toMessageParams(messages: readonly Message[]): MessageParam[] {
  const params: Param[] = [];
  for (const { role, content } of messages) {
    const blocks = content.flatMap((block) => toBlock(block, role));
    const last = params.at(-1);
    if (blocks.length === 0) continue;
    if (last?.role === role) last.content.push(...blocks);
    else params.push({ role, content: blocks });
  }
  if (params[0]?.role !== 'user')
    params.unshift({ role: 'user', content: [{ type: 'text', text: '(What was said before is left out.)' }] });
  const ordered = params.map(({ role, content }) => ({
    role,
    content: role === 'user' ? resultsFirst(content) : content,
  }));
  return withoutTrailingSpace(withCachePoints(withUniqueIds(ordered)));
}

function toBlock(block: ContentBlock, role: Message['role']): ContentBlockParam[] {
  switch (block.type) {
    case 'text':
      return textBlocks(block.text);
    case 'thinking':
      // The provider does not take unsigned thinking back. It is only shown to people.
      return block.signature === '' ? [] : [{ type: 'thinking', thinking: block.thinking, signature: block.signature }];
    case 'toolUse':
      return [{ type: 'tool_use', id: idOf(block.toolUseId), name: nameOf(block.name), input: inputOf(block.input) }];
    case 'toolResult':
      return [toResult(block)];
    case 'image':
    case 'document':
      return role === 'user' ? [toMedia(block)] : [note(block, 'was shown here')];
    case 'opaque':
      // The block came from the provider and goes back unchanged.
      return [block.value as unknown as ContentBlockParam];
    default:
      return unreachable(block);
  }
}

/** The provider refuses blank text, so it is left out. */
function textBlocks(text: string): TextBlockParam[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function toResult({ toolUseId, status, content }: ToolResultBlock): ContentBlockParam {
  const blocks = content.flatMap((block) => (block.type === 'text' ? textBlocks(block.text) : [toMedia(block)]));
  return {
    type: 'tool_result',
    tool_use_id: idOf(toolUseId),
    ...(status === 'error' ? { is_error: true } : {}),
    content: blocks.length === 0 ? [{ type: 'text', text: '(no output)' }] : blocks,
  };
}

const PICTURES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

function toMedia(block: MediaBlock): ImageBlockParam | DocumentBlockParam | TextBlockParam {
  const { mediaType, base64, name } = block;
  const picture = PICTURES.find((kind) => kind === mediaType);
  const title = given({ title: name });
  if (picture !== undefined) return { type: 'image', source: { type: 'base64', media_type: picture, data: base64 } };
  if (mediaType === 'application/pdf')
    return { type: 'document', source: { type: 'base64', media_type: mediaType, data: base64 }, ...title };
  if (mediaType.startsWith('text/') || mediaType === 'application/json') {
    const data = Buffer.from(base64, 'base64').toString('utf8');
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, ...title };
  }
  return note(block, 'is of a kind the model cannot read');
}

function note({ type, mediaType, name }: MediaBlock, what: string): TextBlockParam {
  return { type: 'text', text: `[${type} ${name ?? ''} (${mediaType}) ${what}]`.replace('  ', ' ') };
}

/** Encodes ids that the provider refuses. The same id always becomes the same, so calls and results match. */
function idOf(id: string): string {
  return /^[a-zA-Z0-9_-]+$/.test(id) ? id : `x${Buffer.from(id).toString('base64url')}`;
}

/** The name of a tool as the provider takes it back: a model may ask for a tool by a name that no tool can have. */
function nameOf(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, NAME_CHARS) || '_';
}

const NAME_CHARS = 64;

/** The input of a call that could not be read is kept as the text that came. The provider wants an object. */
function inputOf(input: Json): unknown {
  return isJsonObject(input) ? input : { unreadable: input };
}

/** Puts results first, because they answer the turn before, whatever was said meanwhile. */
function resultsFirst(content: readonly ContentBlockParam[]): ContentBlockParam[] {
  return [
    ...content.filter(({ type }) => type === 'tool_result'),
    ...content.filter(({ type }) => type !== 'tool_result'),
  ];
}

function withCachePoints(params: readonly Param[]): Param[] {
  const ends = params.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(-2);
  return params.map((param, index) =>
    ends.includes(index) ? { ...param, content: cachedAtEnd(param.content) } : param,
  );
}

function cachedAtEnd(content: readonly ContentBlockParam[]): ContentBlockParam[] {
  return content.map((block, index) => {
    if (index < content.length - 1) return block;
    switch (block.type) {
      case 'text':
      case 'image':
      case 'document':
      case 'tool_result':
        return { ...block, cache_control: { type: 'ephemeral' } };
      default:
        return block;
    }
  });
}

/** After a pause the last message is the model's own. The provider refuses one that ends in white space. */
function withoutTrailingSpace(params: readonly Param[]): Param[] {
  const last = params.at(-1);
  const end = last?.content.at(-1);
  if (last?.role !== 'assistant' || end?.type !== 'text') return [...params];
  return [
    ...params.slice(0, -1),
    { ...last, content: [...last.content.slice(0, -1), { ...end, text: end.text.trimEnd() }] },
  ];
}
