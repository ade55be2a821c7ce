import { z } from 'zod';
import type { MediaBlock, TextBlock } from '../../../../interventions/index.ts';
import type { ToolOutput } from '../../../agent/index.ts';
import { readJson } from '../../../json.ts';
import { count } from '../../../log.ts';
import { jsonOf } from '../../index.ts';

/** The result of a call. It is checked loosely: for a part of an unknown kind, the model is told that it was left out. */
export const CallResult = z.looseObject({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});

/** The result as the model reads it. `runTool` cuts what is too long. */
export function resultOutput({ content, structuredContent }: z.output<typeof CallResult>): ToolOutput {
  const blocks = content.slice(0, MOST_PARTS).map(blockOf);
  if (content.length > MOST_PARTS) blocks.push(text(`[left out: ${count(content.length - MOST_PARTS, 'more part')}]`));
  if (structuredContent !== undefined && structuredContent !== null) {
    const structured = jsonOf(structuredContent);
    const said = blocks.some((block) => block.type === 'text' && isSame(block.text, structured));
    if (!said) blocks.push(text(structured ?? '[left out: structured content that is nested too deeply]'));
  }
  return blocks.length === 0 ? 'It ran, and had nothing to say.' : blocks;
}

/** The text of a result that the server itself marks as an error. */
export function errorText(result: z.output<typeof CallResult>): string {
  const output = resultOutput(result);
  if (typeof output === 'string') return 'the server says that it failed, and not why';
  return output.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}

const MOST_PARTS = 100;

const Text = z.object({ type: z.literal('text'), text: z.string() });
const Media = z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() });
const Link = z.object({ type: z.literal('resource_link'), uri: z.string(), name: z.string().optional() });
const Resource = z.object({
  type: z.literal('resource'),
  resource: z.object({
    uri: z.string(),
    mimeType: z.string().optional(),
    text: z.string().optional(),
    blob: z.string().optional(),
  }),
});
const Part = z.discriminatedUnion('type', [Text, Media, Link, Resource]);

function blockOf(value: unknown): TextBlock | MediaBlock {
  const parsed = Part.safeParse(value);
  if (!parsed.success) return text('[left out: a part of a kind that is not known here]');
  const part = parsed.data;
  switch (part.type) {
    case 'text':
      return text(part.text);
    case 'image':
    case 'audio':
      return media(part.mimeType, part.data) ?? text(`[left out: ${part.type} as ${part.mimeType.slice(0, 100)}]`);
    case 'resource_link':
      return text(`${part.name ?? 'Resource'}: ${part.uri}`);
    case 'resource': {
      const { uri, mimeType = 'no named type', blob, text: content } = part.resource;
      if (content !== undefined) return text(`${uri}:\n${content}`);
      return media(mimeType, blob ?? '') ?? text(`[left out: ${uri.slice(0, 500)} as ${mimeType.slice(0, 100)}]`);
    }
  }
}

/** Returns `undefined` for a kind that the model cannot read. */
function media(mediaType: string, base64: string): MediaBlock | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(mediaType)) return { type: 'image', mediaType, base64 };
  return mediaType === 'application/pdf' ? { type: 'document', mediaType, base64 } : undefined;
}

function text(value: string): TextBlock {
  return { type: 'text', text: value };
}

/** Servers should send structured content as text too. The model need not read it twice. */
function isSame(said: string, structured: string | undefined): boolean {
  return structured !== undefined && /^\s*\{/.test(said) && jsonOf(readJson(said)) === structured;
}
