import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readServersFile } from '../../../../app/tools/mcp/file.ts';
import { endAll, tempFolder } from './setup.ts';

afterEach(endAll);

function read(content: unknown, env: Readonly<Record<string, string>> = {}) {
  const file = join(tempFolder(), 'mcp.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return { ...readServersFile(file, env), folder: dirname(file) };
}
const one = (entry: object, env?: Readonly<Record<string, string>>) => read({ mcpServers: { one: entry } }, env);

describe('a list of tool servers', () => {
  it('is read in the format that many programs share', () => {
    const { servers, folder } = read({
      mcpServers: {
        files: { command: 'npx', args: ['-y', 'files'], env: { LEVEL: 'info' } },
        issues: {
          type: 'http',
          url: 'https://mcp.example.com/mcp',
          headers: { Authorization: 'Bearer x' },
          timeoutMs: 5,
        },
      },
    });

    expect(servers).toEqual([
      {
        type: 'process',
        name: 'files',
        command: 'npx',
        args: ['-y', 'files'],
        env: { LEVEL: 'info' },
        cwd: folder,
        timeoutMs: 60_000,
        identity: '["npx","-y","files"]',
      },
      {
        type: 'http',
        name: 'issues',
        url: new URL('https://mcp.example.com/mcp'),
        headers: { Authorization: 'Bearer x' },
        timeoutMs: 5,
        identity: 'https://mcp.example.com/mcp',
      },
    ]);
  });

  it('takes variables from the environment, with a default for each', () => {
    const { servers } = one(
      { command: `\${HOME_OF_IT}/bin/\${NAME:-it}`, args: [`--key=\${KEY}`], env: { A: `\${KEY}\${KEY}` } },
      { HOME_OF_IT: '/opt', KEY: 'k$&' },
    );

    expect(servers).toMatchObject([{ command: '/opt/bin/it', args: ['--key=k$&'], env: { A: 'k$&k$&' } }]);
  });

  it('takes an empty variable for one that is not set', () => {
    const { servers } = one({ command: `\${NAME:-it}` }, { NAME: '' });

    expect(servers).toMatchObject([{ command: 'it' }]);
    expect(() => one({ command: `\${NAME}` }, { NAME: '' })).toThrow(
      /mcpServers\.one\.command needs NAME, and it is not/,
    );
  });

  it('identifies a server by the text of the file, so that no secret is stored with it (T16)', () => {
    const { servers } = one({ url: `https://example.com/\${KEY}` }, { KEY: 'canary' });

    expect(servers[0]?.identity).toBe(`https://example.com/\${KEY}`);
  });

  it('starts no server that is switched off, and names settings without a meaning here', () => {
    expect(one({ command: 'x', disabled: true }).servers).toEqual([]);
    expect(one({ command: 'x', autoApprove: ['all'] }).unread).toEqual(['mcpServers.one.autoApprove']);
  });

  it.each([
    ['is no JSON', '{', /mcp\.json: cannot be read: /],
    ['has another shape', { servers: {} }, /mcpServers must be an object/],
    [
      'has a server without a way to it',
      { mcpServers: { one: {} } },
      /mcpServers\.one must have either a command or a url\.$/,
    ],
    [
      'has two ways to one server',
      { mcpServers: { one: { command: 'x', url: 'https://x' } } },
      /either a command or a url/,
    ],
    [
      'has an address of another kind',
      { mcpServers: { one: { url: 'file:///etc' } } },
      /mcpServers\.one\.url must begin with/,
    ],
    [
      'has a name that could mean two tools',
      { mcpServers: { a__b: { command: 'x' } } },
      /mcpServers\.a__b is not a name/,
    ],
    [
      'has a name that ends in the middle of one',
      { mcpServers: { a_: { command: 'x' } } },
      /mcpServers\.a_ is not a name/,
    ],
    [
      'speaks an older transport',
      { mcpServers: { one: { type: 'sse', url: 'https://x' } } },
      /mcpServers\.one\.type must be/,
    ],
    [
      'has a server that is no object, and another with half a millisecond',
      { mcpServers: { one: 'x', two: { command: 'x', timeoutMs: 0.5 } } },
      /mcpServers\.one must be an object: \{ … \}; mcpServers\.two\.timeoutMs must be a whole number\.$/,
    ],
    [
      'needs a variable that is not set',
      { mcpServers: { one: { command: `\${GONE}` } } },
      /mcpServers\.one\.command needs GONE/,
    ],
  ])('that %s stops the start with the place', (_what, content, message) => {
    expect(() => read(content)).toThrow(message);
  });

  const headers = { Authorization: `Bearer \${KEY}` };
  const KEY = 'canary';

  it.each(['http://wiki.example.com/mcp', 'http://10.0.0.7/mcp', 'http://127.example.com/mcp', 'http://0.0.0.0/mcp'])(
    'a list of tool servers that sends headers to %s stops the start (EDGE-8)',
    (url) => {
      expect(() => one({ url, headers }, { KEY })).toThrow(
        /mcpServers\.one\.url is http:\/\/.*Use https:\/\/, or write "plainHttp": true/,
      );
      expect(() => one({ url, headers }, { KEY })).not.toThrow(KEY);
      expect(() => one({ url: `\${URL}`, headers }, { KEY, URL: url })).toThrow(/plainHttp/);
    },
  );

  it.each([
    ['over https://', { url: 'https://wiki.example.com/mcp', headers }],
    ['to this machine by name', { url: 'http://localhost:8080/mcp', headers }],
    ['to this machine by address', { url: 'http://127.1:8080/mcp', headers }],
    ['to this machine over IPv6', { url: 'http://[::1]:8080/mcp', headers }],
    ['where the file says that plain HTTP is meant', { url: 'http://10.0.0.7/mcp', headers, plainHttp: true }],
    ['without any header', { url: 'http://10.0.0.7/mcp' }],
  ])('a tool server is reached %s (EDGE-8)', (_where, entry) => {
    expect(one(entry, { KEY }).servers).toHaveLength(1);
  });
});
