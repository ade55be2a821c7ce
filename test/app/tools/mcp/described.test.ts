import { expect, it } from 'vitest';
import { describeServer } from '../../../../app/tools/mcp/described.ts';

const process = (...words: readonly string[]) =>
  describeServer({ name: 'files', type: 'process', identity: JSON.stringify(words) });
const http = (identity: string) => describeServer({ name: 'issues', type: 'http', identity });

it.each([
  ['a command', process('npx', '-y', 'files', '/srv'), 'files: ["npx","-y","files","/srv"]'],
  [
    'a flag and its value',
    process('run', '--level=info', '--dir', '/srv'),
    'files: ["run","--level=info","--dir","/srv"]',
  ],
  ['a variable behind a secret flag', process('run', '--token', `\${TOKEN}`), `files: ["run","--token","\${TOKEN}"]`],
  ['an address', http(`https://mcp.example.com/\${PLACE}/mcp`), `issues: https://mcp.example.com/\${PLACE}/mcp`],
])('describes a tool server by %s (EDGE-2)', (_what, described, expected) => {
  expect(described).toBe(expected);
});

it.each([
  ['a token behind its flag', process('run', '--api-token', 'hunter2', '/srv')],
  ['a key in one word with its flag', process('run', '--key=hunter2')],
  ['a password in a short flag', process('run', '-password=hunter2')],
  ['a login in an address', http('https://ann:hunter2@mcp.example.com/mcp')],
  ['a query', http('https://mcp.example.com/mcp?key=hunter2')],
])('keeps %s of a tool server out of the record (EDGE-2, T16)', (_what, described) => {
  expect(described).not.toContain('hunter2');
});
