import { agent } from './agent.ts';
import { call, scriptedModel, witness } from './scripted-model.ts';

/** What a program without a compiler may pass. */
export const odd = (value: unknown) => value as never;

/** An agent whose model calls `t` once, with these options. */
export function calling(options: object) {
  const tool = witness('t');
  const made = () => agent({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], ...options });
  return { tool, made, invoke: async () => made().invoke('go') };
}
