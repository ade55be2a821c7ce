import type { ApiRequest } from '../../sandbox/records.ts';
import { problems } from '../handlers/views/fits.ts';

/**
 * What a second judge finds wrong with all that bots sent to Slack, also as answers to presses and forms. Its table of the published
 * limits shares nothing with the sandbox that took the calls. No package of npm that checks Block Kit is kept.
 */
export function violationsOf(requests: readonly Pick<ApiRequest, 'method' | 'arguments'>[]): readonly string[] {
  return requests.flatMap(({ method, arguments: given }) => {
    const { blocks, text } = surfaceOf(given.view) ?? { blocks: read(given.blocks), text: given.text };
    if (!Array.isArray(blocks)) return [];
    const isMessage = method.startsWith('chat.') && given.view === undefined;
    const message = isMessage && typeof text === 'string' ? { isMessage, text } : { isMessage };
    return problems({ blocks, ...message }).map((problem) => `${method}: ${problem}`);
  });
}

/** A modal or a page is judged whole. */
function surfaceOf(view: unknown): { readonly blocks: readonly unknown[]; readonly text?: undefined } | undefined {
  const drawn = read(view);
  return typeof drawn === 'object' && drawn !== null && 'blocks' in drawn && Array.isArray(drawn.blocks)
    ? { blocks: [{ ...drawn, blocks: undefined }, ...drawn.blocks] }
    : undefined;
}

/** A form field carries JSON as text. */
function read(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
    // The text is no JSON, so it is no blocks.
  } catch {
    return undefined;
  }
}
