import { afterEach, expect, it } from 'vitest';
import { PAGE_HEADERS } from '../../handlers/web/index.ts';
import { ANN, BOT, OPS } from '../../sandbox/people.ts';
import type { World } from '../../sandbox/world.ts';
import { aWhile, cardIn, reply, type Stage, whisper, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { beginInstalling, install, startForMany, tryToInstall } from '../support/install.ts';

let stage: Stage;
afterEach(() => stage?.close());

const ACME = 'T0ACME0001';
const BETA = 'T0BETA0001';
const ORG = 'E0BETA0001';

const within = (world: World): Stage => ({ ...stage, world });
const ask = (world: World) => world.say(ANN, OPS, `<@${BOT}> restart the payments service`);
const listing = (workspaces: string) => ({ env: { TEST_WORKSPACES: workspaces } });

it.each([
  ['workspace', BETA],
  ['organisation', ORG],
])('an unlisted %s cannot install the app, and its browser says what to do (MF-8, T7)', async (_what, team) => {
  stage = await stageOn('sqlite');
  const { port } = await startForMany(stage, listing(ACME));

  const refused = await tryToInstall(port, team);

  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain(`add '${team}' to workspaces in its configuration`);
  const stranger = stage.sandbox.workspace(team);
  const before = stranger.requests.length;
  await ask(stranger);
  await stranger.command(ANN, OPS, '/trusted');
  await whisper(within(stranger), ANN, `add ${team} to`);
  expect(stranger.requests.slice(before)).toEqual([]);
});

it('a workspace that is taken off the list is no longer served, and a listed one is (MF-8, T7)', async () => {
  stage = await stageOn('sqlite');
  const { port, bot } = await startForMany(stage, listing(`${ACME},${BETA}`));
  const [acme, beta] = [await install(stage, port, ACME), await install(stage, port, BETA)];
  const [here, there] = [await ask(acme), await ask(beta)];
  const [ours, theirs] = [await cardIn(within(acme), here), await cardIn(within(beta), there)];
  await bot.stop();
  await startForMany(stage, listing(ACME));
  const asked = stage.sandbox.model.requests.length;

  await beta.press(ANN, theirs, 'approval_approve');
  await whisper(within(beta), ANN, `add ${BETA} to`);
  await ask(beta);
  await aWhile();

  expect(stage.sandbox.model.requests).toHaveLength(asked);
  expect(witnessed(stage, 'begun')).toEqual([]);
  await acme.press(ANN, ours, 'approval_approve');
  await reply(within(acme), here, 'Done.');
});

it("any workspace installs the app where the configuration says 'anybody' (MF-8)", async () => {
  stage = await stageOn('sqlite');
  const { port } = await startForMany(stage, { env: { COUNTERSIGN_CONFIG: 'test/support/anybody.config.ts' } });

  const stranger = await install(stage, port, BETA);

  await cardIn(within(stranger), await ask(stranger));
});

it('a bot that workspaces install themselves needs a list of them to start (MF-8)', async () => {
  stage = await stageOn('sqlite');
  const unlisted = { env: { COUNTERSIGN_CONFIG: 'example/countersign.config.ts' } };

  await expect(startForMany(stage, unlisted)).rejects.toThrow(
    /Countersign could not start: .*Add workspaces: \['T…', 'E…'\] .* or workspaces: 'anybody'/,
  );
});

it('each answer to an installation has the headers of the decision page (EDGE-8)', async () => {
  stage = await stageOn('sqlite');
  const { port } = await startForMany(stage, listing(ACME));

  const answers = [
    await beginInstalling(port),
    await tryToInstall(port, ACME),
    await tryToInstall(port, BETA),
    await broken(port),
  ];

  const { 'content-type': _, ...headers } = PAGE_HEADERS;
  for (const answer of answers) {
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name), name).toBe(value);
  }
  expect(answers.map(({ status }) => status)).toEqual([302, 200, 403, 400]);
});

const broken = (port: number) => fetch(`http://127.0.0.1:${port}/slack/oauth_redirect?code=made-up&state=made-up`);
