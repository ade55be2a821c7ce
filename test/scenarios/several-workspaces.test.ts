import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BOT, OPS, TEAM } from '../../sandbox/people.ts';
import type { World } from '../../sandbox/world.ts';
import { aWhile, cardIn, openCards, reply, type Stage, whisper, witnessed } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { install, startForMany } from '../support/install.ts';

let stage: Stage;
afterEach(() => stage?.close());

const ACME = 'T0ACME0001';
const BETA = 'T0BETA0001';
const ORG = 'E0ACME0001';

/** The stage as a person in this workspace sees it. People and channels have the same ids everywhere. */
const within = (world: World): Stage => ({ ...stage, world });
const ask = (world: World, service: string, at: { readonly ts?: string } = {}) =>
  world.say(ANN, OPS, `<@${BOT}> restart the ${service} service`, at);
const tokens = ({ requests }: World) => new Set(requests.map(({ token }) => token?.split('-')[1]));

describe.each(ENGINES)('several workspaces on %s', (engine) => {
  it('are served at the same time, and nothing of one is seen, trusted or sent in the other (B15, T15)', async () => {
    stage = await stageOn(engine);
    const { port } = await startForMany(stage);
    const [acme, beta] = [await install(stage, port, ACME), await install(stage, port, BETA)];

    // In the same channel, at the same instant, by the same person, as far as the ids go.
    const at = { ts: `${Math.floor(Date.now() / 1_000)}.000100` };
    const [here, there] = await Promise.all([ask(acme, 'payments', at), ask(beta, 'search', at)]);
    const card = await cardIn(within(acme), here);
    await cardIn(within(beta), there);
    await acme.press(ANN, card, 'approval_trust');
    await reply(within(acme), here, 'Done.');

    expect(witnessed(stage)).toHaveLength(1);
    expect(openCards(within(beta), there)).toHaveLength(1);
    expect((await beta.command(ANN, OPS, '/trusted')).type).toBe('sent');
    await whisper(within(beta), ANN, /[Nn]othing is trusted/);
    expect([tokens(acme), tokens(beta)]).toEqual([new Set([ACME]), new Set([BETA])]);
  });

  it('end all work and all use of the token when the app is removed from one, and old cards show it once it is back (B20, FS9)', async () => {
    stage = await stageOn(engine);
    const { port } = await startForMany(stage);
    const [acme, beta] = [await install(stage, port, ACME), await install(stage, port, BETA)];
    const root = await ask(beta, 'search');
    const card = await cardIn(within(beta), root);

    const told = beta.event({ type: 'app_uninstalled' });
    expect((await told.settled).type).toBe('acknowledged');
    const before = beta.requests.length;
    await beta.event({ type: 'tokens_revoked', tokens: { oauth: [], bot: [BOT] } }).settled;
    await beta.press(ANN, card, 'approval_approve');
    await whisper(within(beta), ANN, /not installed in this workspace any more/);
    await aWhile(2_000);

    expect(beta.requests.slice(before)).toEqual([]);
    expect(witnessed(stage, 'begun')).toEqual([]);

    const other = await ask(acme, 'payments');
    await acme.press(ANN, await cardIn(within(acme), other), 'approval_approve');
    await reply(within(acme), other, 'Done.');

    expect(openCards(within(beta), root)).toHaveLength(1);
    const again = await install(stage, port, BETA);
    await again.until(() => openCards(within(again), root).length === 0, { what: 'the old card shows its end' });
    const anew = await ask(again, 'mail');
    await cardIn(within(again), anew);
  });
});

it('an old notice of a removal does not remove a newer installation (B20)', async () => {
  stage = await stageOn('sqlite');
  const { port } = await startForMany(stage);
  await install(stage, port, BETA);
  const now = Math.floor(Date.now() / 1_000);
  expect(await tellRemoved(port, now - 300)).toBe(200);
  const beta = stage.sandbox.workspace(BETA);
  const root = await ask(beta, 'search');
  const card = await cardIn(within(beta), root);

  expect(await tellRemoved(port, now + 60)).toBe(200);
  await beta.press(ANN, card, 'approval_approve');
  await whisper(within(beta), ANN, /not installed in this workspace any more/);
  expect(witnessed(stage, 'begun')).toEqual([]);
});

it.each([
  ['', 0],
  [' and by a clock that is behind', 10],
])(
  'nothing of before a removal counts in a newer installation, though Slack tells of it late%s (B20)',
  async (_, behindS) => {
    stage = await stageOn('sqlite');
    const { port } = await startForMany(stage);
    const before = await install(stage, port, BETA);
    const root = await ask(before, 'search');
    await before.press(ANN, await cardIn(within(before), root), 'approval_trust');
    await reply(within(before), root, 'Done.');
    const open = await ask(before, 'mail');
    await cardIn(within(before), open);
    const removedAtS = Math.floor(Date.now() / 1_000) - behindS;
    await aWhile(1_000);
    const beta = await install(stage, port, BETA);

    expect(await tellRemoved(port, removedAtS)).toBe(200);

    await beta.until(() => openCards(within(beta), open).length === 0, { what: 'the old card shows its end' });
    await beta.say(ANN, OPS, 'restart the payments service', { thread: root });
    await cardIn(within(beta), root);
    expect(witnessed(stage, 'begun')).toHaveLength(1);
  },
);

it('the removal from one workspace, told twice, leaves the installation of its whole organisation (B20)', async () => {
  stage = await stageOn('sqlite');
  const { port } = await startForMany(stage);
  const beta = await install(stage, port, BETA);
  const organisation = await install(stage, port, ORG);
  await ask(beta, 'search');
  const told = {
    enterprise_id: ORG,
    authorizations: [{ team_id: BETA, enterprise_id: ORG, is_enterprise_install: false }],
  };
  const now = Math.floor(Date.now() / 1_000) + 60;

  expect(await tellRemoved(port, now, BETA, told)).toBe(200);
  expect(await tellRemoved(port, now + 1, BETA, told)).toBe(200);

  const root = await ask(organisation, 'payments');
  await organisation.press(ANN, await cardIn(within(organisation), root), 'approval_approve');
  await reply(within(organisation), root, 'Done.');
});

describe('one workspace', () => {
  it('sends nothing more after the app is removed, waiting posts included (B20)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    stage.world.faults.set('chat.postMessage', { type: 'rate-limited', retryAfterSeconds: 2 });
    await ask(stage.world, 'payments');
    await stage.world.until(() => stage.world.requests.some(({ method }) => method === 'chat.postMessage'));

    expect((await stage.world.event({ type: 'app_uninstalled' }).settled).type).toBe('acknowledged');
    const before = stage.world.requests.length;
    await aWhile(3_500);

    expect(stage.world.requests.slice(before).map(({ method }) => method)).toEqual([]);
  });

  it('keeps a working app when an old notice of a removal arrives (B20)', async () => {
    stage = await stageOn('sqlite');
    const { port = 0 } = await stage.startBot({ http: true });
    const root = await ask(stage.world, 'payments');
    const card = await cardIn(stage, root);

    expect(await tellRemoved(port, Math.floor(Date.now() / 1_000) - 300, TEAM)).toBe(200);
    await stage.world.press(ANN, card, 'approval_approve');

    await reply(stage, root, 'Done.');
  });
});

/** As Slack tells of it, some time after it happened. */
async function tellRemoved(port: number, atS: number, team = BETA, told = {}): Promise<number> {
  const body = JSON.stringify({
    ...told,
    type: 'event_callback',
    team_id: team,
    event_id: `Ev${atS}`,
    event_time: atS,
    event: { type: 'app_uninstalled' },
  });
  const sentAt = Math.floor(Date.now() / 1_000);
  const signed = createHmac('sha256', stage.sandbox.signingSecret).update(`v0:${sentAt}:${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-slack-request-timestamp': `${sentAt}`,
    'x-slack-signature': `v0=${signed}`,
  };
  return (await fetch(`http://127.0.0.1:${port}/slack/events`, { method: 'POST', body, headers })).status;
}

it('the bot keeps no readable token in its folder', async () => {
  stage = await stageOn('sqlite');
  const { port } = await startForMany(stage);
  await install(stage, port, ACME);

  const kept = readdirSync(stage.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  expect(kept.join('')).toContain(ACME);
  expect(kept.join('')).not.toContain('xoxb-');
});
