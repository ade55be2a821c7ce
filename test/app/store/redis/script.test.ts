import { expect, it } from 'vitest';
import { run, script } from '../../../../app/store/redis/script.ts';

/** A Redis that answers these, one after the other, and what it was sent. */
function redis(...answers: readonly (string | Error)[]) {
  const left = [...answers];
  const sent: string[] = [];
  const command = async (name: string, ...args: readonly (string | number)[]) => {
    sent.push([name, ...args].join(' '));
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { link: { command, askEach: async () => [], close: async () => {} }, sent };
}

const one = script('return 1');

it('a Redis that does not know a script gets its text, with the same keys and arguments (FR10)', async () => {
  const { link, sent } = redis(new Error('NOSCRIPT No matching script.'), 'done');

  expect(await run(link, one, ['k'], [7])).toBe('done');

  expect(sent).toEqual([`evalsha ${one.digest} 1 k 7`, 'eval return 1 1 k 7']);
});

it('a script that Redis refuses is not sent a second time', async () => {
  const { link, sent } = redis(new Error('OOM command not allowed'));

  await expect(run(link, one, ['k'], [])).rejects.toThrow('OOM');

  expect(sent).toHaveLength(1);
});
