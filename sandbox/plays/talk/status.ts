import { call } from '../../model/answer.ts';
import { closing } from '../../model/closing.ts';
import { hear } from '../../model/outcome.ts';
import type { ToolResult } from '../../model/request.ts';
import { listInWords } from '../../model/results.ts';
import { LOOKING } from '../kit/phrases.ts';
import { play } from '../kit/play.ts';

export const status = play({
  about: 'Looking changes nothing, so it does not ask.',
  example: 'status',
  begins: /\bstatus\b/i,
  scene: {
    opening: 'Let me look.',
    calls: [call('service_status', { service: 'payments' })],
    closing: ([result]) => statusSeen(result),
  },
  next: 'Write “restart the payments service”: that does ask. Be Gil, a guest, and ask too: you hear that you may not.',
});

/** What a tool that only looks returned, or why it returned nothing. */
function statusSeen(result: ToolResult): string {
  const { outcome } = hear(result);
  return outcome.type === 'ran' ? `This is what I see:\n\n${listInWords(outcome.text)}` : closing(result, LOOKING);
}
