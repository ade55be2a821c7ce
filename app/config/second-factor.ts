import { hkdfSync } from 'node:crypto';
import type { DataKeys } from '../secrets/index.ts';
import type { Tool } from '../tools/index.ts';
import type { Environment } from './environment.ts';

export interface SecondFactorParts {
  readonly tools: readonly Pick<Tool, 'name' | 'secondFactor' | 'approvers'>[];
  readonly signOn: { readonly header: string; readonly people: Readonly<Record<string, string>> } | undefined;
  readonly environment: Pick<Environment, 'publicUrl' | 'port' | 'dataKeys' | 'signOnSecret'>;
}

export interface WebSettings {
  readonly key: Uint8Array;
  readonly publicUrl: string;
  readonly signOn: NonNullable<SecondFactorParts['signOn']> & { readonly secret: string | undefined };
}

/**
 * What the page for decisions outside of Slack needs. `undefined` when no tool needs the page. A tool that could be decided
 * nowhere stops the start.
 */
export function webSettings({ tools, signOn, environment }: SecondFactorParts): WebSettings | undefined {
  const needing = tools.filter(({ secondFactor }) => secondFactor === true);
  const { publicUrl, port, dataKeys, signOnSecret: secret } = environment;
  const missing = [
    ...(publicUrl === undefined ? ['PUBLIC_URL, where browsers find this bot'] : []),
    ...(port === undefined ? ['PORT, where it listens'] : []),
    ...(dataKeys === undefined ? ['DATA_KEY, which signs the links'] : []),
    ...(signOn === undefined ? ['signOn in the configuration, which says who is signed on'] : []),
  ];
  if (needing.length === 0 && missing.length > 0) return undefined;
  const names = needing.map(({ name }) => name).join(', ');
  if (missing.length > 0 || publicUrl === undefined || dataKeys === undefined || signOn === undefined) {
    throw new SecondFactorError(
      `${names} cannot be decided anywhere: there is no ${missing.join('; no ')}. Set what is missing.`,
    );
  }
  const url = new URL(publicUrl);
  if (url.protocol !== 'https:' && !['localhost', '127.0.0.1'].includes(url.hostname)) {
    throw new SecondFactorError(
      `PUBLIC_URL is not https, so a link to decide by ${names || 'signOn'} could be read on its way. Write an address with https://.`,
    );
  }
  const known = new Set(Object.values(signOn.people));
  for (const { name, approvers } of needing) {
    // Only Slack knows the members of groups and the requesters, so only named people are looked up here.
    if (approvers.length === 0 || approvers.some((id) => !/^[UW]/.test(id) || known.has(id))) continue;
    throw new SecondFactorError(
      `No approver of ${name} is among signOn.people, so no person could ever decide it. Add them there.`,
    );
  }
  return { key: linkKey(dataKeys), publicUrl, signOn: { ...signOn, secret } };
}

/**
 * The address to listen on; `undefined` for all. With a sign-on, any client of the port could write its header, so only the
 * proxy on this machine reaches the port unless `HOST` says otherwise.
 */
export function listeningHost(
  signOn: SecondFactorParts['signOn'],
  { host }: Pick<Environment, 'host'>,
): string | undefined {
  return host ?? (signOn === undefined ? undefined : '127.0.0.1');
}

function linkKey([newest]: DataKeys): Uint8Array {
  if (newest === undefined) throw new SecondFactorError('DATA_KEY holds no key. Set it.');
  return new Uint8Array(hkdfSync('sha256', newest, '', 'countersign link', 32));
}

export class SecondFactorError extends Error {
  override readonly name = 'SecondFactorError';
}
