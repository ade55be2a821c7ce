import { resolve } from 'node:path';
import { configured, type Servers, type Trouble, toolNamed } from './trouble.ts';

/** A file with a tool of these settings. */
const defined = (what: string, settings: readonly string[]): Trouble => ({
  what,
  files: {
    'tools/restart.ts': [
      `import { z } from ${JSON.stringify(resolve('node_modules/zod/index.js'))};`,
      `import { defineTool, secret } from ${JSON.stringify(resolve('app/index.ts'))};`,
      "const about = { name: 'restart', description: 'Restarts.', input: z.object({ token: secret(z.string()) }) };",
      "export const restart = defineTool({ ...about, run: () => '',",
      ...settings.map((line) => `  ${line}`),
      '});',
      '',
    ].join('\n'),
  },
});

/** Of the tools of a deployment. */
export const TOOLS: readonly Trouble[] = [
  {
    what: 'a tool that cannot be loaded',
    ofProcess: true,
    files: { 'tools/restart.ts': 'export const restart = ;\n' },
  },
  {
    what: 'an export that is no tool',
    files: {
      'tools/restart.ts': "export const restart = { name: 'restart', description: 'Restarts.', run: () => '' };\n",
    },
  },
  {
    what: 'a tool that is not exported',
    files: { 'tools/restart.ts': 'const defineTool = (tool) => tool;\nconst restart = defineTool({});\n' },
  },
  {
    what: 'a tool that is defined wrong',
    files: {
      'tools/restart.ts': [
        `import { defineTool } from ${JSON.stringify(resolve('app/index.ts'))};`,
        "export const restart = defineTool({ name: 'restart it', description: '', input: {}, run: () => '' });",
        '',
      ].join('\n'),
    },
  },
  defined('an open tool that is defined wrong', [
    "effect: 'open', approvers: ['U0BEN00001'], trust: { match: 'fields', fields: ['gone'], scope: 'thread', forMs: 1 },",
    "neverHide: ['gone', 'token'],",
  ]),
  defined('a guarded tool that is defined wrong', [
    "effect: 'guarded', trust: { match: 'any', scope: 'thread', forMs: 1 },",
  ]),
  {
    what: 'two files with a tool of one name',
    files: {
      'tools/one.ts': ['export const tools = [', ...toolNamed('restart'), '];', ''].join('\n'),
      'tools/other.ts': ['export const tools = [', ...toolNamed('restart'), '];', ''].join('\n'),
    },
  },
  configured('the folder of tools is missing', "toolsFolder: 'gone',"),
  configured('the list of tool servers is missing', "toolServers: 'gone.json',"),
  configured('a policy without tool servers', 'policy: {', "  notes__add: { approvers: ['U0BEN00001'] },", '},'),
];

/** A list with this one tool server. */
const served = (what: string, server: object, ...policy: readonly string[]): Trouble => ({
  ...configured(what, ...policy),
  files: {
    ...configured(what, ...policy).files,
    'mcp.json': JSON.stringify({ mcpServers: { notes: server } }),
  },
});

const SERVER = resolve('test/support/mcp-server.ts');

/** A server with these tools. The first list of them may be followed by another. */
const listing = (
  what: string,
  [tools, changed]: readonly (readonly object[])[],
  ...policy: readonly string[]
): Trouble => ({
  ...served(what, { command: process.execPath, args: [SERVER, 'tools.json'] }, ...policy),
  files: {
    ...served(what, { command: process.execPath, args: [SERVER, 'tools.json'] }, ...policy).files,
    'tools.json': JSON.stringify(tools),
  },
  ...(changed === undefined ? {} : { before: [{}], changed: { 'tools.json': JSON.stringify(changed) } }),
});

const ADD = { name: 'add', description: 'Adds a note.' };

/** Of the servers that offer tools. */
export const toolServers = ({ noPort }: Servers): readonly Trouble[] => [
  { what: 'the list of tool servers is no JSON', files: { 'mcp.json': '{ "mcpServers": ' } },
  { what: 'the list of tool servers has another shape', files: { 'mcp.json': '{ "mcpServers": [] }' } },
  served('a tool server with no address', { url: 'notes.example.com' }),
  served('a word that a list of tool servers does not have', { url: `http://127.0.0.1:${noPort}/mcp`, timeOut: 1 }),
  listing('a tool that changed since it was allowed', [[ADD], [{ ...ADD, description: 'Adds a note, and posts it.' }]]),
  listing('a tool that cannot be used', [[{ ...ADD, inputSchema: { type: 'array' } }]]),
  listing('a tool that is listed twice', [[ADD, ADD]]),
  listing('a policy for a tool that its server does not have', [[ADD]], 'policy: {', '  notes__drop: {},', '},'),
  listing(
    'a tool of the deployment with the name of a server’s',
    [[ADD]],
    'tools: [',
    ...toolNamed('notes__add'),
    '],',
  ),
  listing(
    'a policy that a tool cannot have',
    [[{ ...ADD, annotations: { destructiveHint: true } }]],
    'policy: {',
    "  notes__add: { effect: 'asked', approvers: ['U0BEN00001'] },",
    '},',
  ),
  {
    what: 'a broken file of pins',
    files: { 'mcp.json': '{ "mcpServers": {} }', '.data/mcp-pins.jsonl': '{}\n' },
  },
  served('a tool server that is nowhere', {}),
  served('a variable that is not set', { command: 'notes', env: { TOKEN: '$\u007bNOTES_TOKEN}' } }),
  served('a password that anyone could read', {
    url: 'http://notes.example.com/mcp',
    headers: { Authorization: 'Bearer x' },
  }),
  served(
    'a policy for another server',
    { url: `http://127.0.0.1:${noPort}/mcp` },
    'policy: {',
    "  issues__add: { approvers: ['U0BEN00001'] },",
    '},',
  ),
  served('a tool server that is away', { url: `http://127.0.0.1:${noPort}/mcp` }),
];
