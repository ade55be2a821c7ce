import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { toolsCommand } from '../../../app/commands/tools.ts';
import { openPins } from '../../../app/tools/mcp/index.ts';
import { endAll, tempFolder } from '../tools/mcp/setup.ts';

afterEach(endAll);

function setup() {
  const pins = openPins({ file: join(tempFolder(), 'pins.jsonl'), now: () => 0 });
  const see = (hash: string, definition: object) =>
    pins.see([{ server: 's', tool: 't', name: 's__t', hash, definition: { name: 't', ...definition } }]);
  see('aaaaaaaaaa', { description: 'Reads.' });
  const run = (...args: readonly string[]) => {
    const lines: string[] = [];
    const code = toolsCommand(args, { pins, write: (line) => lines.push(line) });
    return { code, text: lines.join('\n') };
  };
  return { run, see };
}

describe('the tools command', () => {
  it('lists the recorded tools of tool servers, and what has changed in them', () => {
    const { run, see } = setup();
    expect(run('list')).toEqual({ code: 0, text: 'allowed  s__t  aaaaaaaa  since 1970-01-01T00:00:00.000Z' });

    see('bbbbbbbbbb', { description: 'Reads.\u001b[2K\u202e' });

    expect(run('list').text.split('\n')).toEqual([
      'CHANGED  s__t  bbbbbbbb  since 1970-01-01T00:00:00.000Z',
      '    description',
      '      - "Reads."',
      '      + "Reads.\\u001b[2K\\u{202e}"',
    ]);
  });

  it('allows a tool as it was shown, and says what that is', () => {
    const { run, see } = setup();
    see('bbbbbbbbbb', { description: 'Writes.' });

    expect(run('allow', 's__t', 'aaaa')).toMatchObject({ code: 1, text: expect.stringContaining('Look again') });
    expect(run('list').text).toContain('CHANGED');
    expect(run('allow', 's__t', 'bbbb')).toMatchObject({ code: 0, text: expect.stringContaining('+ "Writes."') });
    expect(run('list').text).toContain('allowed  s__t  bbbbbbbb');
  });

  it('refuses any other command', () => {
    const { run } = setup();

    expect(run('allow', 's__u')).toMatchObject({ code: 1, text: expect.stringContaining('There is no tool s__u') });
    expect(run()).toMatchObject({ code: 2, text: expect.stringContaining('Usage') });
    expect(run('allow', 's__t', 'a', 'b').code).toBe(2);
  });
});
