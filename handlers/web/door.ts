import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Approvals } from '../../app/approvals/index.ts';
import type { Log } from '../../app/log.ts';
import { inTurns } from '../../app/time/index.ts';
import { counts, type Names, namesIn, namesOfChannel, truthOf } from '../responding/index.ts';
import { approvedCall, deciders, type Mrkdwn, mention, postedTo } from '../views/index.ts';
import type { Workspaces } from '../workspaces/index.ts';
import { DECIDE_PATH, equal, type LinkClaim, type Links } from './links.ts';
import { PAGE_HEADERS, questionPageInSteps, sentencePage, withoutMarkup } from './page.ts';

/** The sign-on in front of this address: the header it sets, and the Slack user that each value of it stands for. */
export interface SignOn {
  readonly header: string;
  readonly people: Readonly<Record<string, string>>;
  /** What the sign-on sends in `SECRET_HEADER` with each request. Without it, the port must be closed to all others. */
  readonly secret?: string | undefined;
}

const SECRET_HEADER = 'x-sign-on-secret';

export interface WebDeps {
  readonly links: Links;
  readonly signOn: SignOn;
  readonly publicUrl: string;
  readonly approvals: Pick<Approvals, 'decide' | 'consider'>;
  readonly workspaces: Pick<Workspaces, 'of'>;
  readonly log: Log;
}

/**
 * The page on which calls with a second factor are decided. Opening a link shows the call and decides nothing. The form
 * decides, if it comes from the bot's own page and from the person the link was made for, signed on outside of Slack.
 */
export function createWebDoor(deps: WebDeps): readonly WebRoute[] {
  const guarded =
    (work: (request: IncomingMessage) => Promise<Page>) => (request: IncomingMessage, response: ServerResponse) => {
      work(request)
        // The store may be out of reach. The page says that nothing was decided.
        .catch((error: unknown): Page => {
          deps.log.error('A page could not be shown', { error });
          return say(500, 'That did not work', 'Nothing was decided. Please try again.');
        })
        .then(({ status, html }) => response.writeHead(status, PAGE_HEADERS).end(html));
    };
  return [
    { method: 'GET', path: DECIDE_PATH, handler: guarded((request) => show(deps, request)) },
    { method: 'POST', path: DECIDE_PATH, handler: guarded((request) => decide(deps, request)) },
  ];
}

export interface WebRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
}

interface Page {
  readonly status: number;
  readonly html: string;
}

async function show(deps: WebDeps, request: IncomingMessage): Promise<Page> {
  const link = new URL(request.url ?? '/', deps.publicUrl).searchParams.get('link') ?? '';
  const opened = deps.links.open(link);
  if (opened.type !== 'good') return NOT_GOOD[opened.type];
  const refused = refusalOf(deps, request, opened.claim);
  if (refused !== undefined) return refused;
  const { approval: id, user, team, digest } = opened.claim;
  const considered = await deps.approvals.consider(id, { user, team });
  if (considered.type !== 'open') return say(409, 'Nothing to decide', await inNames(deps, opened.claim, considered));
  const { approval } = considered;
  if (approval.digest !== digest) return NOT_GOOD.forged;
  const people = [
    approval.requester,
    ...approval.alsoSteeredBy,
    ...(approval.progress?.yeses ?? []).map(({ by }) => by),
  ];
  const said = [...people.map(mention), ...deciders(approval)];
  const channels = { here: approval.thread.channel, elsewhere: postedTo(approvedCall(approval)) };
  const names = await namesThere(deps, team, said, channels);
  return { status: 200, html: await inTurns(questionPageInSteps(approval, deps.links.form(opened.claim), names)) };
}

async function decide(deps: WebDeps, request: IncomingMessage): Promise<Page> {
  if (!isOwnForm(request, deps.publicUrl)) {
    deps.log.warn('A decision was refused', { why: 'its form was not on our page' });
    return say(403, 'Not from our page', 'Nothing was decided. Open the link from Slack again and use its form.');
  }
  const form = Form.safeParse(Object.fromEntries(new URLSearchParams(await bodyOf(request))));
  if (!form.success) return say(400, 'Not understood', 'Nothing was decided. Open the link from Slack again.');
  const opened = deps.links.submit(form.data.form);
  if (opened.type !== 'good') return NOT_GOOD[opened.type];
  const refused = refusalOf(deps, request, opened.claim);
  if (refused !== undefined) return refused;
  const { approval, user, team, digest } = opened.claim;
  const { verdict, reason } = form.data;
  const result = await deps.approvals.decide({
    approval,
    verdict,
    by: { user, team },
    from: { type: 'web', digest },
    ...(verdict === 'deny' && reason !== '' ? { reason } : {}),
  });
  deps.log.info('A form was answered', { approval, verdict, by: user, result: result.type });
  const text = await inNames(deps, opened.claim, result);
  // After a double click, the page shows only the answer to the second submission.
  const isRecorded = counts(result) || 'isCounted' in result;
  return isRecorded ? say(200, 'Recorded', text) : say(409, 'Not recorded', text);
}

/** What is true of the call already, with people by their names. */
async function inNames(
  deps: WebDeps,
  { team, user }: Pick<LinkClaim, 'team' | 'user'>,
  result: Parameters<typeof truthOf>[0],
): Promise<string> {
  const truth = truthOf(result, user);
  return withoutMarkup(truth.mrkdwn, await namesThere(deps, team, [truth]));
}

async function namesThere(
  { workspaces }: WebDeps,
  team: string,
  said: readonly Mrkdwn[],
  { here, elsewhere }: { readonly here?: string; readonly elsewhere?: string | undefined } = {},
): Promise<Names> {
  const client = (await workspaces.of(team))?.client;
  if (client === undefined) return new Map();
  const people = namesIn(client, said.map(({ mrkdwn }) => mrkdwn).join(' '));
  const places = [
    ...(here === undefined ? [] : [namesOfChannel(client, here)]),
    ...(elsewhere === undefined || elsewhere === here ? [] : [namesOfChannel(client, elsewhere, 'outside')]),
  ];
  const all = await Promise.all([people, ...places]);
  return new Map(all.flatMap((names) => [...names]));
}

const Form = z.object({
  form: z.string(),
  verdict: z.enum(['approve', 'deny']),
  // A browser counts a line end as one character, and sends two.
  reason: z
    .string()
    .overwrite((text) => text.replaceAll('\r\n', '\n'))
    .trim()
    .max(1_000)
    .default(''),
});

const NOT_GOOD = {
  forged: say(403, 'Not a link of ours', 'Nothing was decided. Press Decide on the web on the card for a new one.'),
  late: say(
    410,
    'This link is over',
    'It was good for some minutes. Press Decide on the web on the card for a new one.',
  ),
} as const;

/** Refuses a visitor who is not signed on as the person the link was made for, so a leaked link is of no use. */
function refusalOf({ signOn, log }: WebDeps, request: IncomingMessage, claim: LinkClaim): Page | undefined {
  const identity = headerOf(request, signOn.header).trim().toLowerCase();
  const isFromSignOn = signOn.secret === undefined || equal(headerOf(request, SECRET_HEADER), signOn.secret);
  // No value identifies the visitor, and neither do two.
  if (!isFromSignOn || identity === '' || identity.includes(',')) {
    const why = isFromSignOn ? 'its visitor is not signed on' : 'its request has not the secret of the sign-on';
    log.warn('A page was refused', { why, approval: claim.approval });
    return say(401, 'Not signed on', 'You are not signed on, so this page stays closed. Nothing was decided.');
  }
  const [, user] = Object.entries(signOn.people).find(([name]) => name.toLowerCase() === identity) ?? [];
  if (user === claim.user) return undefined;
  log.warn('A page was refused', { why: 'it is for another person', approval: claim.approval, by: user });
  return say(403, 'Not for you', 'This link was made for another person. Nothing was decided.');
}

function headerOf({ headers }: IncomingMessage, name: string): string {
  const said = headers[name.toLowerCase()];
  return typeof said === 'string' ? said : '';
}

/** A browser says which page a form stood on, and no page can change what it says. */
function isOwnForm({ headers }: IncomingMessage, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  return headers.origin === new URL(publicUrl).origin && (site === undefined || site === 'same-origin');
}

const LONGEST_BODY = 20_000;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length > LONGEST_BODY) return '';
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString();
}

function say(status: number, title: string, text: string): Page {
  return { status, html: sentencePage(title, text) };
}
