import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANN, BEN, directChannel, OPS } from '../../sandbox/people.ts';
import { reply, type Stage } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

const SEEN = `<@${ANN}> had this open beside the conversation: channel ${OPS}`;
const toTheApp = (user: string, text: string) => stage.world.say(user, directChannel(user), text);
const shown = () => stage.sandbox.model.requests.map(({ body }) => JSON.stringify(body));

describe.each(ENGINES)('what a person looks at, on %s', (engine) => {
  beforeEach(async () => {
    stage = await stageOn(engine);
    await stage.world.openBeside(ANN, { type: 'channel', id: OPS });
  });

  it('reaches the agent with that person’s message, and no later message of another person', async () => {
    await stage.startBot({ http: true });

    const root = await toTheApp(ANN, 'hello, what happened here?');
    await reply(stage, root, 'Hello!');
    expect(shown()).toEqual([expect.stringContaining(SEEN)]);
    expect(stage.world.session(root).title).toBe('hello, what happened here?');

    await reply(stage, await toTheApp(BEN, 'hello'), 'Hello!');
    expect(shown().at(-1)).not.toContain('beside the conversation');
  });

  it.each(['delivery-acknowledged', 'run-started', 'model-streaming'])(
    'reaches the agent again through the process that goes on after a death at %s',
    async (dieAt) => {
      const first = await stage.startBot({ http: true, dieAt });
      const root = await toTheApp(ANN, 'hello, what happened here?');
      await first.gone;
      // They look elsewhere by now.
      await stage.world.openBeside(ANN);

      await stage.startBot({ http: true });
      await reply(stage, root, 'Hello!');

      expect(shown().filter((request) => !request.includes(SEEN))).toEqual([]);
      expect(shown()).not.toEqual([]);
    },
  );
});
