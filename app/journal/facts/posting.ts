import { z } from 'zod';

/**
 * Slack posts a message twice if it is sent twice. So a process writes `post-begun` before it sends, and the writer alone
 * sends: two processes that find the same debt at the same time post it once.
 */

export const POSTING_ENTRIES = [z.object({ type: z.literal('post-begun'), key: z.string(), by: z.string() })] as const;
