import { describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import { readToolsWish, toolsCommand } from '../../../app/commands/tools.ts';
import { createModelStore } from '../../support/model-store.ts';
import { pinsIn } from '../tools/mcp/setup.ts';

async function setup() {
  const pins = pinsIn(createModelStore(testClock(0)));
  const see = (hash: string, definition: object) =>
    pins.see([{ server: 's', tool: 't', name: 's__t', hash, definition: { name: 't', ...definition } }]);
  await see('aaaaaaaaaa', { description: 'Reads.' });
  const run = async (...args: readonly string[]) => {
    const wish = readToolsWish(args);
    const lines: string[] = [];
    const said: string[] = [];
    const [write, say] = [(line: string) => void lines.push(line), (line: string) => void said.push(line)];
    const code = typeof wish === 'string' ? wish : await toolsCommand(wish, { pins, write, say });
    return { code, text: lines.join('\n'), said: said.join('\n') };
  };
  return { run, see };
}

describe('the tools command', () => {
  it('lists the recorded tools of tool servers, and what has changed in them', async () => {
    const { run, see } = await setup();
    expect(await run('list')).toEqual({
      code: 0,
      said: '',
      text: 'allowed  s__t  aaaaaaaa  since 1970-01-01T00:00:00.000Z',
    });

    await see('bbbbbbbbbb', { description: 'Reads.\u001b[2K\u202e' });

    expect((await run('list')).text.split('\n')).toEqual([
      'CHANGED  s__t  bbbbbbbb  since 1970-01-01T00:00:00.000Z',
      '    description',
      '      - "Reads."',
      '      + "Reads.\\u001b[2K\\u{202e}"',
    ]);
  });

  it('allows a tool as it was shown, and says what that is', async () => {
    const { run, see } = await setup();
    await see('bbbbbbbbbb', { description: 'Writes.' });

    expect(await run('allow', 's__t', 'aaaa')).toMatchObject({
      code: 1,
      text: '',
      said: expect.stringContaining('then decide'),
    });
    expect((await run('list')).text).toContain('CHANGED');
    expect(await run('allow', 's__t', 'bbbb')).toMatchObject({ code: 0, text: expect.stringContaining('+ "Writes."') });
    expect((await run('list')).text).toContain('allowed  s__t  bbbbbbbb');
  });

  it('refuses any other command', async () => {
    const { run } = await setup();

    expect(await run('allow', 's__u')).toMatchObject({
      code: 1,
      said: expect.stringContaining('No tool is called s__u'),
    });
    expect(readToolsWish([])).toMatch(/^No command was given\.\n\nUsage: npm run tools/);
    expect(readToolsWish(['frob'])).toMatch(/^There is no command frob\.\n\nUsage: npm run tools/);
    expect(readToolsWish(['list', 'x'])).toBe('list takes no arguments: x is too much.');
    expect(readToolsWish(['allow'])).toBe('allow needs the name of a tool. To see the names: npm run tools -- list');
    expect(readToolsWish(['allow', 's__t', 'a', 'b'])).toBe('allow takes one tool and one hash: b is too much.');
  });
});
