import { Agent, Runner, RunState, setTracingDisabled, tool, Usage } from '@openai/agents';
import { DESCRIPTION, DONE, TOOL, WISH } from './conversation.mjs';

/** The state of a run is a text that its user keeps, and so are the messages before it. */
export const saver = 'the text of its run state, in memory';

setTracingDisabled(true);

export async function converse({ messages, script, run }) {
  const model = {
    getResponse: async () => {
      const call = script.next();
      const usage = new Usage({ inputTokens: 1, outputTokens: 1, totalTokens: 2, requests: 1 });
      if (call === undefined) return { usage, output: [said('assistant', DONE)] };
      const { id: callId, name, input } = call;
      const item = { type: 'function_call', callId, name, status: 'completed', arguments: JSON.stringify(input) };
      return { usage, output: [item] };
    },
  };
  const parameters = {
    type: 'object',
    properties: { to: { type: 'number' } },
    required: ['to'],
    additionalProperties: false,
  };
  const deploy = tool({
    ...{ name: TOOL, description: DESCRIPTION, parameters, strict: true },
    needsApproval: true,
    execute: async () => run(),
  });
  const agent = new Agent({ name: 'bench', instructions: 'Help.', model, tools: [deploy] });
  const runner = new Runner({ tracingDisabled: true });
  const kept = JSON.stringify(messages.map(({ role, text }) => said(role, text)));

  return async () => {
    let result = await runner.run(agent, [...JSON.parse(kept), said('user', WISH)], { maxTurns: 99 });
    while (result.interruptions.length > 0) {
      const saved = result.state.toString();
      const state = await RunState.fromString(agent, saved);
      for (const asked of state.getInterruptions()) state.approve(asked);
      result = await runner.run(agent, state, { maxTurns: 99 });
    }
    JSON.stringify(result.history);
  };
}

function said(role, text) {
  if (role === 'user') return { type: 'message', role, content: text };
  return { type: 'message', role, status: 'completed', content: [{ type: 'output_text', text }] };
}
