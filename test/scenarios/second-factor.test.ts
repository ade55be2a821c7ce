import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { given } from '../../app/given.ts';
import { ANN, BEN, GENERAL, OPS, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import {
  aWhile,
  cards,
  draws,
  mention,
  type RunningBot,
  reply,
  type Stage,
  says,
  whisper,
  witnessed,
} from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { freePort } from '../support/servers.ts';

let stage: Stage;
let address: string;
afterEach(() => stage?.close());

async function open(engine: (typeof ENGINES)[number], env: Readonly<Record<string, string>> = {}): Promise<RunningBot> {
  stage = await stageOn(engine);
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  return stage.startBot({
    env: {
      COUNTERSIGN_CONFIG: 'test/scenarios/second-factor.config.ts',
      PORT: `${port}`,
      PUBLIC_URL: address,
      DATA_KEY: randomBytes(32).toString('base64'),
      ...env,
    },
  });
}

async function waitingCard(root: SlackMessage): Promise<SlackMessage> {
  return stage.world.until(() => cards(stage, root).find((card) => draws(card, 'approval_on_web')), {
    what: 'a card that is decided on the web',
  });
}

/** A person's own link, as they are told it. */
async function linkFor(card: SlackMessage, person = BEN): Promise<string> {
  await stage.world.press(person, card, 'approval_on_web');
  await whisper(stage, person, 'decided outside of Slack');
  const told = JSON.stringify(stage.world.ephemerals(person).at(-1));
  return /http:\/\/127[^|"\\]+/.exec(told)?.[0]?.replaceAll('&amp;', '&') ?? '';
}

const as = (email?: string): Record<string, string> => (email === undefined ? {} : { 'x-forwarded-email': email });

interface Submitted {
  readonly form: string;
  readonly verdict?: string;
  readonly email?: string;
  readonly origin?: string;
  readonly site?: string;
  readonly secret?: string;
  readonly reason?: string;
}

const submit = ({
  form,
  verdict = 'approve',
  email = 'ben@example.com',
  origin = address,
  site,
  secret,
  reason = 'It is still read.',
}: Submitted) =>
  fetch(`${address}/decide`, {
    method: 'POST',
    headers: { ...as(email), origin, ...given({ 'sec-fetch-site': site, 'x-sign-on-secret': secret }) },
    body: new URLSearchParams({ form, verdict, reason }),
  });

const formOf = (html: string): string => /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '';

describe.each(ENGINES)('a call with a second factor (%s)', (engine) => {
  it('is decided by the form of a page that only the right person can open, and runs once (P43, P13, T8)', async () => {
    await open(engine);
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await waitingCard(root);
    expect(['approval_approve', 'approval_deny', 'approval_trust'].filter((id) => draws(card, id))).toEqual([]);

    // Not even the right person's account decides it in Slack, whatever a press says.
    const value = /"value":"(\d\da[\w-]{22})"/.exec(JSON.stringify(card.blocks))?.[1] ?? '';
    expect(value).not.toBe('');
    for (const verdict of ['approval_approve', 'approval_deny']) {
      await stage.world.press(BEN, card, verdict, { forged: true, value });
      await whisper(stage, BEN, 'not offered');
    }

    // A person without the right gets no link.
    await stage.world.press(ANN, card, 'approval_on_web');
    await whisper(stage, ANN, /cannot|can decide this|another person/);

    const link = await linkFor(card);
    const refused = [
      await fetch(link),
      await fetch(link, { headers: as('ann@example.com') }),
      await fetch(link, { headers: as('ben@example.com, ann@example.com') }),
      await fetch(`${link}x`, { headers: as('ben@example.com') }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 403, 401, 403]);

    const page = await fetch(link, { headers: as('Ben@Example.com') });
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain('Delete the database payments_old for good.');
    expect(html).toContain(`Asked by @ann (${ANN}) in #ops (${OPS}).`);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });

    const form = formOf(html);
    const token = new URL(link).searchParams.get('link') ?? '';
    const forged = [
      await submit({ form, origin: 'https://elsewhere.example' }),
      await submit({ form, site: 'cross-site' }),
      await submit({ form, email: 'ann@example.com' }),
      await submit({ form: token }),
      await submit({ form: `${form}x` }),
      await submit({ form, verdict: 'trust' }),
    ];
    expect(forged.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 400]);
    expect(witnessed(stage, 'begun')).toEqual([]);
    expect(draws(stage.world.message(card) ?? card, 'approval_on_web')).toBe(true);

    expect((await submit({ form })).status).toBe(200);
    await reply(stage, root, 'Done.');
    const again = await (await submit({ form })).text();
    expect(again).toContain('Recorded');
    expect(again).toContain('You already approved this call of ');
    const late = await fetch(link, { headers: as('ben@example.com') });
    expect(late.status).toBe(409);
    expect(await late.text()).toContain('You already approved this call of ');

    expect(witnessed(stage, 'begun')).toHaveLength(1);
    await stage.world.until(() => says(stage.world.message(card) ?? card, `Approved by <@${BEN}>`));
  });
});

describe('a call with a second factor', () => {
  it('is not decided by opening its link, whatever its address and method (P13)', async () => {
    await open('sqlite');
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await waitingCard(root);
    const link = await linkFor(card);
    const headers = { ...as('ben@example.com'), origin: address };
    const form = formOf(await (await fetch(link, { headers })).text());
    const body = new URLSearchParams({ form, verdict: 'approve' });

    await fetch(`${link}&${body}`, { headers });
    await fetch(`${address}/decide?${body}`, { headers });
    for (const method of ['HEAD', 'OPTIONS']) await fetch(`${link}&${body}`, { method, headers });
    await fetch(link, { method: 'PUT', headers, body });
    await aWhile();

    expect(witnessed(stage, 'begun')).toEqual([]);
    expect(draws(stage.world.message(card) ?? card, 'approval_on_web')).toBe(true);
    expect((await submit({ form })).status).toBe(200);
  });

  it('can be denied there with as long a reason as its field takes, in several lines (P43)', async () => {
    await open('sqlite');
    const card = await waitingCard(await mention(stage, ANN, 'drop the old database'));
    const html = await (await fetch(await linkFor(card), { headers: as('ben@example.com') })).text();
    const typed = 'It is still read.\n'.padEnd(1_000, 'and written\n');

    // A browser counts a line end as one character, and sends two.
    const sent = await submit({ form: formOf(html), verdict: 'deny', reason: typed.replaceAll('\n', '\r\n') });

    expect(sent.status).toBe(200);
    await stage.world.until(() => says(stage.world.message(card) ?? card, 'It is still read.'));
  });

  it('can be denied there as well, with a reason (P43)', async () => {
    await open('sqlite');
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await waitingCard(root);
    const html = await (await fetch(await linkFor(card), { headers: as('ben@example.com') })).text();

    expect((await submit({ form: formOf(html), verdict: 'deny' })).status).toBe(200);
    await stage.world.until(() => says(stage.world.message(card) ?? card, 'It is still read.'));
    await reply(stage, root, 'the database stays');
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('names the channel on its page to which a message goes (SURF-1)', async () => {
    await open('sqlite');
    const input = JSON.stringify({ channel: GENERAL, text: 'Hi' });
    const root = await mention(stage, ANN, `call post_to_channel ${input}`);
    const card = await waitingCard(root);
    const page = await fetch(await linkFor(card), { headers: as('ben@example.com') });

    expect(await page.text()).toContain(`<p>Channel: #general (${GENERAL})</p>`);
  });

  it('tells each of two approvers that their yes is recorded, in two tabs as well, and runs on the second (P43, SURF-1)', async () => {
    await open('sqlite');
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await waitingCard(root);
    const formFor = async (person: string, email: string) =>
      formOf(await (await fetch(await linkFor(card, person), { headers: as(email) })).text());
    const ben = await formFor(BEN, 'ben@example.com');
    const benAgain = await formFor(BEN, 'ben@example.com');
    const zoe = await formFor(ZOE, 'zoe@example.com');

    const first = await submit({ form: ben });
    expect(first.status).toBe(200);
    expect(await first.text()).toMatch(/<h1>Recorded<.*Your yes for this call of restart_service counts/s);
    const again = await submit({ form: benAgain });
    expect(again.status).toBe(200);
    expect(await again.text()).toMatch(/<h1>Recorded<.*Your approval counts already/s);
    expect(witnessed(stage, 'begun')).toEqual([]);
    const second = await submit({ form: zoe, email: 'zoe@example.com' });
    expect(await second.text()).toMatch(/<h1>Recorded<.*You approved this call of restart_service/s);
    await reply(stage, root, 'Done.');
    expect(witnessed(stage, 'begun')).toHaveLength(1);
  });

  it('the page for decisions opens only with the secret of the sign-on where SIGN_ON_SECRET is set (EDGE-8)', async () => {
    const secret = 'a-secret-of-the-proxy';
    const bot = await open('sqlite', { SIGN_ON_SECRET: `${secret}\n` });
    const root = await mention(stage, ANN, 'drop the old database');
    const link = await linkFor(await waitingCard(root));
    const ben = as('ben@example.com');
    const withSecret = (said: string) => ({ ...ben, 'x-sign-on-secret': said });
    const get = async (headers: Record<string, string>) => (await fetch(link, { headers })).status;

    expect(await get(ben)).toBe(401);
    for (const wrong of ['', secret.slice(1), `${secret}x`, `${secret}, ${secret}`, secret.toUpperCase()])
      expect(await get(withSecret(wrong)), wrong).toBe(401);
    expect(await get({ 'x-sign-on-secret': secret })).toBe(401);

    const form = formOf(await (await fetch(link, { headers: withSecret(secret) })).text());
    expect((await submit({ form })).status).toBe(401);
    expect(witnessed(stage, 'begun')).toEqual([]);
    expect((await submit({ form, secret })).status).toBe(200);
    await reply(stage, root, 'Done.');
    expect(bot.log()).not.toContain(secret);
  });
});

describe('the port', () => {
  it.each([
    ['with a sign-on is open to programs of the same machine alone', {}, 'closed'],
    ['with a sign-on and HOST=:: is open to other machines', { HOST: '::' }, 'open'],
    [
      'without a sign-on is open to other machines',
      { COUNTERSIGN_CONFIG: 'example/countersign.config.ts', DATA_KEY: '' },
      'open',
    ],
  ])('the port %s (EDGE-8)', async (_what, env, to) => {
    await open('sqlite', env);
    const { port } = new URL(address);

    expect(await reachable(`http://127.0.0.1:${port}`)).toBe('open');
    expect(await reachable(`http://${elsewhere()}:${port}`)).toBe(to);
  });
});

/** An address of this machine by which a program elsewhere could reach it. */
function elsewhere(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const { address: found, family } = all.find(
    ({ address: each }) => each !== '127.0.0.1' && !each.startsWith('fe80'),
  ) ?? {
    address: '::1',
    family: 'IPv6',
  };
  return family === 'IPv6' ? `[${found}]` : found;
}

const reachable = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => 'open',
    () => 'closed',
  );
