import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tallyOf } from '../../sandbox/demo/tricks/tally.ts';
import { OPS } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';

/** The counters of the strip, from the messages of a bot and from what its tools wrote down. */
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
  const { chat } = new WebClient(sandbox.botToken, { slackApiUrl: sandbox.slackApiUrl });
  const { ts = '' } = await chat.postMessage({ channel: OPS, text: 'Approval needed: restart_service.' });
  await chat.update({ channel: OPS, ts, text: 'Approved: restart_service.' });
  const line = '`restart_service` without asking';
  await chat.postMessage({ channel: OPS, text: `${line}: Restart the mail service. Ran in 2 ms.` });
  await chat.postMessage({ channel: OPS, text: `${line}, 3 calls. The latest: Restart the mail service. Running.` });
});
afterAll(() => sandbox.close());

it('a tool is counted as asked about, approved, run on a trust and started (DEMO-2)', () => {
  const begun = { step: 'begun', tool: 'restart_service' } as const;

  expect(
    tallyOf(
      sandbox.world,
      Array.from({ length: 5 }, () => begun),
    ),
  ).toEqual(['restart_service: asked 1 · approved 1 · on trust 4 · started 5']);
});

it('no start is counted of tools that write nothing down (DEMO-2)', () => {
  expect(tallyOf(sandbox.world, undefined)).toEqual(['restart_service: asked 1 · approved 1 · on trust 4']);
});

it('the tool that was used last stands first (DEMO-2)', async () => {
  const { chat } = new WebClient(sandbox.botToken, { slackApiUrl: sandbox.slackApiUrl });
  const { ts = '' } = await chat.postMessage({ channel: OPS, text: 'Approval needed: zap.' });
  expect(tallyOf(sandbox.world, undefined).map((line) => line.split(':')[0])).toEqual(['zap', 'restart_service']);
  await chat.delete({ channel: OPS, ts });
});
