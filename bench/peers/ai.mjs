import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import { DESCRIPTION, DONE, TOOL, WISH } from './conversation.mjs';

/** The AI SDK keeps nothing itself: its user keeps the messages, here as JSON in memory. */
export const saver = 'JSON of the messages, in memory';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

export async function converse({ messages, script, run }) {
  const model = {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'instant',
    supportedUrls: {},
    doGenerate: async () => {
      const call = script.next();
      if (call === undefined) return answer({ type: 'text', text: DONE }, 'stop');
      const { id, name, input } = call;
      return answer({ type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) }, 'tool-calls');
    },
  };
  const inputSchema = jsonSchema({ type: 'object', properties: { to: { type: 'number' } }, required: ['to'] });
  const tools = { [TOOL]: tool({ description: DESCRIPTION, inputSchema, execute: async () => run() }) };
  const kept = JSON.stringify(messages.map(({ role, text }) => ({ role, content: text })));
  const step = (said) =>
    generateText({
      model,
      tools,
      toolApproval: { [TOOL]: 'user-approval' },
      stopWhen: isStepCount(99),
      messages: said,
    });

  return async () => {
    let saved = JSON.stringify([...JSON.parse(kept), { role: 'user', content: WISH }]);
    for (;;) {
      const said = JSON.parse(saved);
      const { content, responseMessages } = await step(said);
      saved = JSON.stringify([...said, ...responseMessages]);
      const asked = content.filter(({ type }) => type === 'tool-approval-request');
      if (asked.length === 0) return;
      const yes = asked.map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved: true }));
      saved = JSON.stringify([...JSON.parse(saved), { role: 'tool', content: yes }]);
    }
  };
}

function answer(part, unified) {
  return { content: [part], finishReason: { unified, raw: unified }, usage, warnings: [] };
}
