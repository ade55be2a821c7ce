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

it.each<[string, object, string]>([
  ['a block of text without a text', { type: 'text' }, 'At 0.text:'],
  ['a picture without its bytes', { type: 'image', mediaType: 'image/png' }, 'At 0.base64:'],
  [
    'a message with a block of text without a text',
    { role: 'user', content: [{ type: 'text' }] },
    'At 0.content.0.text:',
  ],
])('refuses %s, and says what is missing where (AG-5)', async (_what, item, place) => {
  const model = scriptedModel('Ok.');
  const made = agent({ model });

  // @ts-expect-error no input
  await expect(made.invoke([item])).rejects.toThrow(`The input cannot be used, so nothing runs on it. ${place}`);
  expect([made.messages, model.requests]).toEqual([[], []]);
});
