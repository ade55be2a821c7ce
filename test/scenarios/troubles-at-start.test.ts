import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { saidAtStart } from '../support/at-start/said.ts';
import { SUBJECTS, troublesAtStart } from '../support/at-start/troubles.ts';
import { freePort } from '../support/servers.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

it.each(SUBJECTS)(
  'each trouble of %s that the preview shows is said by the bot in lines of its own, without a stack (SURF-5)',
  async (subject) => {
    const servers = { redisUrl: inject('redisUrl'), noPort: await freePort(), port: await freePort() };
    const said = await Promise.all(troublesAtStart(servers)[subject].map((trouble) => saidAtStart(trouble, sandbox)));

    expect(said.filter((lines) => lines === '' || /^\s+at |^node:internal/m.test(lines))).toEqual([]);
  },
);
