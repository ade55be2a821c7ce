import { expect, it } from 'vitest';
import { agent, linesOf } from '../../../../support/agent.ts';
import { says, scriptedModel } from '../../../../support/scripted-model.ts';

it('says that an empty list is empty, and what the caller can give in its place (REF-14, AG-5)', async () => {
  const made = agent({ model: scriptedModel('Ok.'), messages: [says('old')] });
  const failure: unknown = await made.invoke([]).catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(TypeError);
  expect(String(failure)).toContain('The input is an empty list');
  expect(String(failure)).toContain('Put a block, a message or an answer in it');
  expect(String(failure)).toContain('leave the input out');
  expect(linesOf(made.messages)).toEqual(['user: old']);
  expect(`${await made.invoke()}`).toBe('Ok.');
});

it.each([
  { interruptResponse: null },
  { interruptResponse: 'yes' },
  { interruptResponse: { interruptId: 7, response: true } },
])('says of the answer %j that it names no question (REF-14)', async (answer) => {
  // @ts-expect-error no answer
  await expect(agent({ model: scriptedModel('Ok.') }).invoke([answer])).rejects.toThrow(
    'An answer does not say to which question. Give a list of { interruptResponse: { interruptId, response } }.',
  );
});
