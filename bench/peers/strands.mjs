import {
  Agent,
  FunctionTool,
  InterventionActions,
  InterventionHandler,
  Message,
  Model,
  SessionManager,
  SlidingWindowConversationManager,
  TextBlock,
} from '@strands-agents/sdk';
import { InMemoryStorage } from '@strands-agents/sdk/storage';
import { DESCRIPTION, DONE, TOOL, WISH } from './conversation.mjs';

export const saver = 'its session manager on its storage in memory';

class InstantModel extends Model {
  constructor(script) {
    super();
    this.script = script;
  }
  getConfig() {
    return {};
  }
  updateConfig() {}
  async *stream() {
    const call = this.script.next();
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    if (call === undefined) {
      yield { type: 'modelContentBlockStartEvent' };
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: DONE } };
    } else {
      const start = { type: 'toolUseStart', name: call.name, toolUseId: call.id };
      yield { type: 'modelContentBlockStartEvent', start };
      const delta = { type: 'toolUseInputDelta', input: JSON.stringify(call.input) };
      yield { type: 'modelContentBlockDeltaEvent', delta };
    }
    yield { type: 'modelContentBlockStopEvent' };
    yield { type: 'modelMessageStopEvent', stopReason: call === undefined ? 'endTurn' : 'toolUse' };
  }
}

class Asks extends InterventionHandler {
  name = 'asks';
  beforeToolCall() {
    return InterventionActions.confirm('Deploy it?');
  }
}

export async function converse({ messages, script, run }) {
  const model = new InstantModel(script);
  const deploy = new FunctionTool({
    name: TOOL,
    description: DESCRIPTION,
    inputSchema: { type: 'object', properties: { to: { type: 'number' } }, required: ['to'] },
    callback: async () => run(),
  });
  const kept = messages.map(({ role, text }) => new Message({ role, content: [new TextBlock(text)] }));
  let storage;
  /** A new one each time, as a process that reads what an earlier one kept. */
  const agentOf = (more = {}) =>
    new Agent({
      ...{ model, tools: [deploy], interventions: [new Asks()], printer: false },
      conversationManager: new SlidingWindowConversationManager({ windowSize: messages.length + 999 }),
      sessionManager: new SessionManager({ sessionId: 'bench', storage }),
      ...more,
    });

  const prepare = async () => {
    storage = new InMemoryStorage();
    script.begin(0);
    await agentOf({ messages: kept.slice(0, -2) }).invoke(WISH);
  };
  const turn = async () => {
    let result = await agentOf().invoke(WISH);
    while (result.stopReason === 'interrupt') {
      const yes = result.interrupts.map(({ id }) => ({ interruptResponse: { interruptId: id, response: true } }));
      result = await agentOf().invoke(yes);
    }
  };
  return Object.assign(turn, { prepare });
}
