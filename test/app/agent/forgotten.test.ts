import { expect, it } from 'vitest';
import type { Message } from '../../../interventions/index.ts';
import { agent } from '../../support/agent.ts';
import { collector } from '../../support/collector.ts';
import { loop, scriptedModel } from '../../support/scripted-model.ts';

it('an agent releases its tools when it is garbage collected (G-01, AG-2)', async () => {
  const collect = collector();
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

it('a run that is over leaves none of its conversation in memory when only young garbage is collected (EDGE-7)', async () => {
  const collect = collector();
  const messages = Array.from({ length: 1_000 }, (_, at): Message => {
    return { role: at % 2 === 0 ? 'user' : 'assistant', content: [{ type: 'text', text: `${at}` }] };
  });
  const runAgain = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      await loop({ model: scriptedModel('Ok.'), state: { messages } });
      if (time % 20 === 19) collect({ type: 'minor' });
    }
  };
  await runAgain(200);
  collect();
  const before = process.memoryUsage().heapUsed;

  await runAgain(200);
  collect({ type: 'minor' });
  collect({ type: 'minor' });

  const keptKilobytes = (process.memoryUsage().heapUsed - before) / 200 / 1_024;
  expect(keptKilobytes).toBeLessThan(4);
});
