import { Agent } from '../app/agent/alone/index.ts';
import { HumanInTheLoop } from '../interventions/index.ts';
import { type Figure, microseconds } from './measure.ts';
import { deploy, model } from './turn.ts';

/** A new agent and one invocation: a model call, a yes from a person who is there, the tool, and a model call. */
function invocation(): Promise<unknown> {
  const gate = new HumanInTheLoop({ ask: () => true, askTimeoutMs: null });
  return new Agent({ model, tools: [deploy], interventions: [gate] }).invoke('deploy it');
}

export async function agentFigures(): Promise<readonly Figure[]> {
  const value = await microseconds(invocation, { batch: 100 });
  return [{ what: 'the same turn by an agent alone, made for it', value, unit: 'µs' }];
}
