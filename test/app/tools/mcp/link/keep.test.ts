import { afterEach, expect, it } from 'vitest';
import { connect, endAll, httpServer } from '../setup.ts';

afterEach(endAll);

it('calls a tool by its former definition when the server does not list its tools anew, and says so in the log', async () => {
  const server = await httpServer([{ name: 'echo' }]);
  const { run, time, logged } = await connect({ url: server.url });
  const broken = () => {
    throw new Error('the list is broken');
  };
  server.changeQuietly(Object.assign([{ name: 'echo' }], { slice: broken }));

  time.advance(6 * 60 * 1000);

  expect(await run('echo')).toMatchObject({ type: 'succeeded' });
  expect(logged).toContainEqual({
    level: 'warn',
    message: 'The tools of a server could not be listed anew.',
    fields: {
      server: 'test',
      error: expect.objectContaining({ message: expect.stringContaining('the list is broken') }),
    },
  });
});
