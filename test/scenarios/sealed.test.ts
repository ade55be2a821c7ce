import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { cardIn, mention, reply, type Stage } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { storedOn } from '../support/stored.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** Each says a word of its own, and none of them looks like a secret. */
const SAID = { message: 'porcupine', input: 'windmill', answer: 'saxophone' } as const;
/** What `keep_login` returns. */
const RESULT = 'For EMP-654321.';

const conversation = {
  example: 'keep it',
  begins: (said: string) => said.includes(SAID.message),
  play: ({ results: [result] }: { readonly results: readonly unknown[] }) =>
    result === undefined
      ? {
          content: [
            {
              type: 'tool_use' as const,
              name: 'keep_login',
              input: { place: 'mail', value: 'of-ours', note: SAID.input },
            },
          ],
        }
      : `It is kept, ${SAID.answer}.`,
};

describe.each(ENGINES)('a bot with a key (%s)', (engine) => {
  it('leaves no readable message, answer, input or result in the store (T16)', async () => {
    stage = await stageOn(engine, { sandbox: { conversations: [conversation] } });
    const bot = await stage.startBot({
      env: {
        COUNTERSIGN_CONFIG: 'test/scenarios/secretive.config.ts',
        DATA_KEY: randomBytes(32).toString('base64'),
      },
    });
    const root = await mention(stage, ANN, `keep it, ${SAID.message}`);
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, SAID.answer);
    const asking = await mention(stage, ANN, `keep it again, ${SAID.message}`);
    await cardIn(stage, asking);
    await bot.stop();

    const store = await storedOn(stage);
    expect(store).toContain('sealed:');
    expect([...Object.values(SAID), RESULT].filter((word) => store.includes(word))).toEqual([]);
  });
});
