import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ApprovalId, UserId } from '../../app/records/index.ts';

/**
 * Signed links for one person, one approval and one digest. A link opens a page and decides nothing. The form of that page
 * carries a second signature. Both are of no use once the approval is decided.
 */
export interface Links {
  readonly issue: (claim: Omit<LinkClaim, 'use' | 'untilMs'>) => string;
  readonly open: (token: string) => OpenedLink;
  /** For the form of a page that was opened with a good link by the right person. */
  readonly form: (claim: LinkClaim) => string;
  readonly submit: (token: string) => OpenedLink;
}

export type OpenedLink = { readonly type: 'good'; readonly claim: LinkClaim } | { readonly type: 'forged' | 'late' };

const LinkClaim = z.object({
  use: z.enum(['open', 'decide']),
  approval: ApprovalId,
  user: UserId,
  team: z.string().min(1),
  digest: z.string().min(1),
  untilMs: z.number(),
});
export type LinkClaim = z.infer<typeof LinkClaim>;

export interface LinksParts {
  readonly key: Uint8Array;
  readonly publicUrl: string;
  readonly now: () => number;
}

/** Long enough to sign on, short enough that a forgotten message is of no use. */
const OPEN_MS = 10 * 60 * 1000;
const DECIDE_MS = 15 * 60 * 1000;

export const DECIDE_PATH = '/decide';

export function createLinks({ key, publicUrl, now }: LinksParts): Links {
  const sign = (body: string): string => createHmac('sha256', key).update(body).digest('base64url');
  const write = (claim: LinkClaim): string => {
    const body = Buffer.from(JSON.stringify(claim)).toString('base64url');
    return `${body}.${sign(body)}`;
  };
  const read = (token: string, use: LinkClaim['use']): OpenedLink => {
    const [body = '', signature = '', ...rest] = token.split('.');
    if (rest.length > 0 || !equal(signature, sign(body))) return { type: 'forged' };
    const claim = LinkClaim.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString()));
    if (!claim.success || claim.data.use !== use) return { type: 'forged' };
    return claim.data.untilMs < now() ? { type: 'late' } : { type: 'good', claim: claim.data };
  };
  return {
    issue: (claim) => {
      const url = new URL(DECIDE_PATH, publicUrl);
      url.searchParams.set('link', write({ ...claim, use: 'open', untilMs: now() + OPEN_MS }));
      return url.href;
    },
    open: (token) => read(token, 'open'),
    form: (claim) => write({ ...claim, use: 'decide', untilMs: now() + DECIDE_MS }),
    submit: (token) => read(token, 'decide'),
  };
}

/** Compares two texts in a time that says nothing about where they differ. */
export function equal(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
