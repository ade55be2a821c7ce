import { call } from '../../model/answer.ts';
import { closing } from '../../model/closing.ts';
import type { Conversation } from '../../model/conversation.ts';
import { hear } from '../../model/outcome.ts';
import type { ToolResult } from '../../model/request.ts';
import { listInWords } from '../../model/results.ts';
import { LOOKING } from '../kit/phrases.ts';
import { withTools } from '../kit/with-tools.ts';

export const status: Conversation = {
  example: 'status',
  begins: (said) => /\bstatus\b/i.test(said),
  play: (request) =>
    withTools(request, {
      opening: 'Let me look.',
      calls: [call('service_status', { service: 'payments' })],
      closing: ([result]) => statusSeen(result),
    }),
};

/** What a tool that only looks returned, or why it returned nothing. */
function statusSeen(result: ToolResult): string {
  const { outcome } = hear(result);
  return outcome.type === 'ran' ? `This is what I see:\n\n${listInWords(outcome.text)}` : closing(result, LOOKING);
}
