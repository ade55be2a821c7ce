import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { DESCRIPTION, DONE, TOOL, WISH } from './conversation.mjs';

export const saver = 'its MemorySaver';

class InstantModel extends BaseChatModel {
  constructor(script) {
    super({});
    this.script = script;
  }
  _llmType() {
    return 'instant';
  }
  bindTools() {
    return this;
  }
  async _generate() {
    const call = this.script.next();
    const message =
      call === undefined
        ? new AIMessage(DONE)
        : new AIMessage({ content: '', tool_calls: [{ id: call.id, name: call.name, args: call.input }] });
    return { generations: [{ text: DONE, message }] };
  }
}

export async function converse({ messages, script, run }) {
  const deploy = tool(async () => run(), {
    name: TOOL,
    description: DESCRIPTION,
    schema: z.object({ to: z.number() }),
  });
  const checkpointer = new MemorySaver();
  const agent = createAgent({
    model: new InstantModel(script),
    tools: [deploy],
    middleware: [humanInTheLoopMiddleware({ interruptOn: { [TOOL]: true } })],
    checkpointer,
  });
  const kept = messages.map(({ role, text }) => ({ role, content: text }));
  let threads = 0;
  let config;

  const prepare = async () => {
    if (config !== undefined) await checkpointer.deleteThread(config.configurable.thread_id);
    threads += 1;
    config = { configurable: { thread_id: `thread-${threads}` }, recursionLimit: 999 };
    await agent.graph.updateState(config, { messages: kept });
  };
  const turn = async () => {
    let result = await agent.invoke({ messages: [{ role: 'user', content: WISH }] }, config);
    while (result.__interrupt__?.length > 0) {
      result = await agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), config);
    }
  };
  return Object.assign(turn, { prepare });
}
