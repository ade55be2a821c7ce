import { expect, it } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import { silentLog } from '../../../../app/log.ts';
import { createOffering } from '../../../../app/tools/mcp/offering.ts';
import { createModelStore } from '../../../support/model-store.ts';
import { pinsIn } from './setup.ts';

const tools = Array.from({ length: 100 }, (_, at) => ({ name: `t${at}`, inputSchema: { type: 'object' } }));

function start() {
  const pins = pinsIn(createModelStore(testClock(0)));
  const offering = createOffering({
    settings: {
      type: 'http',
      name: 's',
      identity: 's',
      timeoutMs: 1_000,
      url: new URL('http://127.0.0.1'),
      headers: {},
    },
    pins,
    policy: {},
    log: silentLog,
    onChange: () => {},
    call: async () => 'done',
  });
  return { pins, offering };
}

it('only the last of the lists that come while one is read is read, so that a server cannot make them pile up (T20)', async () => {
  const { pins, offering } = start();

  offering.list(tools);
  for (const name of ['skipped', 'last']) offering.list([{ name, inputSchema: { type: 'object' } }]);
  await offering.compare();

  expect(offering.now().tools.map(({ name }) => name)).toEqual(['s__last']);
  expect((await pins.all()).map(({ tool }) => tool)).not.toContain('skipped');
});

it('a list of many tools gives other work its turns while it is read, and while its tools are made (EDGE-7, T20)', async () => {
  const { offering } = start();
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);

  offering.list(tools);
  await offering.compare();
  clearImmediate(next);

  expect(offering.now().tools).toHaveLength(100);
  expect(turns).toBeGreaterThanOrEqual(2 * 19);
});
