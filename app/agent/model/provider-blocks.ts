import type { Json } from '../../../interventions/index.ts';
import { isJsonObject } from '../../json.ts';

/**
 * What ran at the provider, in words for the thread. The block itself is kept and sent back unchanged. Others wrote
 * everything in it, so this is plain text, and a source is named, not linked.
 */
export function providerBlockText(block: Json): readonly string[] {
  if (!isJsonObject(block)) return [];
  switch (block.type) {
    case 'server_tool_use':
      return [`Used ${quoted(block.name)} at the model’s provider${about(block.input)}.`];
    case 'web_search_tool_result':
      return sources(block.content);
    default:
      return [];
  }
}

const MOST_SOURCES = 5;
const LONGEST = 200;

function about(input: Json | undefined): string {
  return isJsonObject(input) && typeof input.query === 'string' ? `: ${quoted(input.query)}` : '';
}

function sources(content: Json | undefined): readonly string[] {
  if (!Array.isArray(content)) {
    return isJsonObject(content) && typeof content.error_code === 'string'
      ? [`The search failed: ${content.error_code}.`]
      : [];
  }
  const found = content.flatMap((result) =>
    isJsonObject(result) && typeof result.url === 'string' ? [`${quoted(result.title)} at ${hostOf(result.url)}`] : [],
  );
  if (found.length === 0) return ['The search found nothing.'];
  const more = found.length > MOST_SOURCES ? `, and ${found.length - MOST_SOURCES} more` : '';
  return [`Found ${found.slice(0, MOST_SOURCES).join(', ')}${more}.`];
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an unreadable address';
}

function quoted(text: Json | undefined): string {
  const words = typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').trim() : '';
  if (words === '') return 'something without a name';
  return `“${words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words}”`;
}
