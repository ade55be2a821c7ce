import { z } from 'zod';

/**
 * Slack takes a post twice if it is sent twice, so a post is written before it is sent: whoever wrote it has it, and two
 * processes that come upon the same debt at the same instant post it once.
 */

export const POSTING_ENTRIES = [z.object({ type: z.literal('post-begun'), key: z.string(), by: z.string() })] as const;
