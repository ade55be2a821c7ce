import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { DESCRIPTION, DONE, TOOL, WISH } from './conversation.mjs';

export const saver = 'its InMemoryStore';

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

export async function converse({ messages, script, run }) {
  const next = () => {
    const call = script.next();
    if (call === undefined) return { part: { type: 'text', text: DONE }, finishReason: 'stop' };
    const { id: toolCallId, name: toolName, input } = call;
    return {
      part: { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) },
      finishReason: 'tool-calls',
    };
  };
  const model = {
    specificationVersion: 'v2',
    provider: 'bench',
    modelId: 'instant',
    supportedUrls: {},
    doGenerate: async () => {
      const { part, finishReason } = next();
      return { content: [part], finishReason, usage, warnings: [] };
    },
    doStream: async () => ({ stream: streamOf(next()) }),
  };
  const deploy = createTool({
    id: TOOL,
    description: DESCRIPTION,
    inputSchema: z.object({ to: z.number() }),
    requireApproval: true,
    execute: async () => run(),
  });
  const agent = new Agent({ id: 'bench', name: 'bench', instructions: 'Help.', model, tools: { [TOOL]: deploy } });
  new Mastra({ agents: { bench: agent }, storage: new InMemoryStore(), logger: false });
  const kept = JSON.stringify(messages.map(({ role, text }) => ({ role, content: text })));

  return async () => {
    const said = [...JSON.parse(kept), { role: 'user', content: WISH }];
    let result = await agent.generate(said, { maxSteps: 99 });
    while (result.finishReason === 'suspended') {
      const { toolCallId } = result.suspendPayload;
      result = await agent.approveToolCallGenerate({ runId: result.runId, toolCallId, maxSteps: 99 });
    }
    JSON.stringify(result.messages);
  };
}

function streamOf({ part, finishReason }) {
  const parts =
    part.type === 'text'
      ? [
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: part.text },
          { type: 'text-end', id: 't' },
        ]
      : [part];
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] });
      for (const one of parts) controller.enqueue(one);
      controller.enqueue({ type: 'finish', finishReason, usage });
      controller.close();
    },
  });
}
