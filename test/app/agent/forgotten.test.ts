import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { agent } from '../../support/agent.ts';
import { scriptedModel } from '../../support/scripted-model.ts';

it('an agent releases its tools when it is garbage collected (G-01, AG-2)', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('This Node cannot be told to collect garbage.');
  let released = 0;
  const cleanup = () => {
    released += 1;
  };
  const forget = async () => {
    const forgotten = agent({ model: scriptedModel('Ok.'), tools: [{ loadTools: async () => [], cleanup }] });
    await forgotten.invoke('hi');
  };
  await forget();
  for (let rounds = 0; released === 0 && rounds < 100; rounds += 1) {
    await new Promise(setImmediate);
    collect();
  }

  expect(released).toBe(1);
});
