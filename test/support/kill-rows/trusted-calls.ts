import { expect } from 'vitest';
import type { Step } from '../../../app/step.ts';
import type { Conversation } from '../../../sandbox/model/conversation.ts';
import { draws, says } from '../bot.ts';
import type { Row } from './row.ts';

const LINES = ['line-begun', 'line-sent', 'line-recorded', 'line-changed'] as const satisfies readonly Step[];

/** Bots die while the thread is told of a call on trust. */
export const TRUSTED_CALLS: readonly Row[] = [
  trusting('call-started:2', ['payments', 'search'], /without asking: Restart/),
  ...['call-started:3', ...LINES].map((at) => trusting(at, ['payments', 'search', 'mail'], /without asking, 2 calls/)),
];

/** The first call is asked about and trusted; the others run on that trust, one after the other. */
function trusting(dieAt: string, services: readonly string[], line: RegExp): Row {
  const conversation: Conversation = {
    example: 'restart one by one',
    begins: (said) => /\brestart one by one\b/.test(said),
    play: ({ results }) => {
      const service = services[results.length];
      return service === undefined
        ? 'They were restarted, one by one.'
        : { content: [{ type: 'tool_use', name: 'restart_service', input: { service } }] };
    },
  };
  return {
    id: 'P53, FK22',
    must: 'one line tells of each call on that trust',
    walk: {
      dieAt: [dieAt],
      // The line is written beside the call, so the model may be asked for the next turn already.
      cutTurns: dieAt.startsWith('line-') ? 1 : 0,
      text: 'restart one by one',
      verdict: 'trust',
      sandbox: { conversations: [conversation] },
      ends: /They were restarted/,
    },
    seen: ({ history }) => {
      expect(history.runs).toHaveLength(1);
      const lines = history.messages.filter((message) => draws(message, 'trust_end_line'));
      expect(lines.map((shown) => says(shown, line))).toEqual([true]);
    },
  };
}
