import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileSession } from '../../../../../app/agent/alone/memory/file-session.ts';
import { HumanInTheLoop, type Json } from '../../../../../interventions/index.ts';
import { agent } from '../../../../support/agent.ts';
import { call, scriptedModel, witness } from '../../../../support/scripted-model.ts';

const tool = witness('t');
const paused = () =>
  agent({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [new HumanInTheLoop()] });

/** What an agent says of a snapshot in which the member at this path is another one, or is gone. */
async function refusal(path: readonly (string | number)[], put?: Json): Promise<string> {
  const made = paused();
  await made.invoke('go');
  const snapshot = JSON.parse(JSON.stringify(made.snapshot()));
  const holder = path.slice(0, -1).reduce((value, key) => value[key], snapshot);
  holder[path.at(-1) ?? ''] = put;
  try {
    agent({ model: scriptedModel('Done.'), snapshot: path.length === 0 ? put : snapshot });
    return 'taken';
    // The refusal is what the test is about.
  } catch (error) {
    return String(error);
  }
}

describe('an agent refuses a snapshot', () => {
  it.each<[string, readonly (string | number)[], Json | undefined, string]>([
    [
      'without messages',
      ['state', 'messages'],
      undefined,
      'At state.messages: Invalid input: expected array, received undefined.',
    ],
    ['with content that is a text', ['state', 'messages', 0, 'content'], 'go', 'At state.messages.0.content:'],
    ['without the answer that waits', ['state', 'pending', 'message'], undefined, 'At state.pending.message:'],
    [
      'with a call without input',
      ['state', 'pending', 'message', 'content', 0, 'input'],
      undefined,
      'content.0.input: is missing.',
    ],
    ['with a question without id', ['state', 'interrupts', 0, 'id'], 7, 'At state.interrupts.0.id:'],
    [
      'with a question whose problem is no text',
      ['state', 'interrupts', 0, 'problem'],
      7,
      'At state.interrupts.0.problem:',
    ],
    ['without used answers', ['spent'], undefined, 'At spent:'],
    ['with a state that is a list', ['appState'], [], 'At appState:'],
    ['of a later version', ['version'], 2, 'A snapshot of version 2 cannot be read here. Update this program.'],
  ])('%s, and names the place', async (_what, path, put, says) => {
    expect(await refusal(path, put)).toContain(says);
    expect(await refusal(path, put)).toMatch(
      /^ConfigurationError: (The snapshot cannot be used, so nothing runs on it\.|A snapshot of)/,
    );
  });

  it.each([null, 'text', 7, []])('that is %j', (snapshot) => {
    // @ts-expect-error no snapshot
    expect(() => agent({ model: scriptedModel('Done.'), snapshot })).toThrow(
      'The snapshot cannot be used, so nothing runs on it.',
    );
  });
});

it('an agent refuses messages whose content is no list of blocks, and says what to give', () => {
  // @ts-expect-error a text
  expect(() => agent({ model: scriptedModel('Done.'), messages: [{ role: 'user', content: 'hello' }] })).toThrow(
    'The option messages cannot be used, so nothing runs on it. At 0.content: Invalid input: expected array, received string. Give a list of',
  );
});

describe('an agent whose session file', () => {
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'stored-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it.each<[string, string, string]>([
    [
      'has an entry of an unknown kind',
      '{"v":1,"number":3,"writer":"w","entries":[{"type":"later"}]}',
      'At entries.0.type:',
    ],
    [
      'has a message without content',
      '{"v":1,"number":3,"writer":"w","entries":[{"type":"message","message":{"role":"user"}}]}',
      'At entries.0.message.content:',
    ],
    [
      'has an answer without a value',
      '{"v":1,"number":3,"writer":"w","entries":[{"type":"answered","answers":[{"interruptId":"q"}]}]}',
      'At entries.0.answers.0.response: is missing.',
    ],
    ['has a line without entries', '{"v":1,"number":3,"writer":"w"}', 'At entries:'],
    ['has a line that is null', 'null', 'expected object, received null.'],
    ['has a line that is a number', '7', 'expected object, received number.'],
  ])('%s runs nothing, and names file, line and place', async (name, line, says) => {
    const sessionId = name.replaceAll(' ', '-');
    const make = () => createFileSession({ directory, sessionId });
    const options = { model: scriptedModel([call('t')]), tools: [tool], interventions: [new HumanInTheLoop()] };
    await agent({ ...options, sessionManager: make() }).invoke('go');
    const path = join(directory, sessionId, 'default.jsonl');
    const lines = (await make().load('default', 0)).version;
    await appendFile(path, `\n${line.replace('"number":3', `"number":${lines + 1}`)}\n`);

    const error = await agent({ ...options, sessionManager: make() })
      .invoke()
      .catch(String);

    expect(error).toContain(
      `ConfigurationError: The line with number ${lines + 1} in ${path} cannot be used, so nothing runs on it.`,
    );
    expect(error).toContain(says);
    expect(error).toContain('Restore it from a copy, or move it.');
    expect(tool.runs).toEqual([]);
  });
});
