/** Derives a manifest from `manifest.yml`, so that two ways to install the app cannot differ in anything else. */

import { withUsage } from './options.ts';

export interface ManifestWish {
  /** The address of the bot for deliveries over HTTP, without a path. Absent: Socket Mode, as the file has it. */
  readonly http?: string | undefined;
  /** Workspaces install the app themselves: adds the address that Slack leads them back to. */
  readonly distributed?: boolean | undefined;
  /** As `commandPrefix` of the configuration. */
  readonly commandPrefix?: string | undefined;
}

/** Where every kind of delivery arrives over HTTP, and where an installation comes back. */
const DELIVERIES = '/slack/events';
const REDIRECT = '/slack/oauth_redirect';

/** The text is edited line by line, so that comments and the order of the file stay. Throws where a line is not found. */
export function manifestFor(text: string, { http, distributed = false, commandPrefix }: ManifestWish): string {
  let made = text;
  const edit = (find: RegExp, put: string): void => {
    if (!find.test(made)) throw new Error(`manifest.yml has no line ${find}. Correct the file, or print it as it is.`);
    made = made.replaceAll(new RegExp(find, 'gm'), put);
  };
  if (commandPrefix !== undefined) edit(/^( +- command: \/)(\S+)$/m, `$1${commandPrefix}-$2`);
  if (http === undefined) return made;
  const url = `${http}${DELIVERIES}`;
  edit(/^( +)- command: \/\S+$/m, `$&\n$1  url: ${url}`);
  edit(/^( +)event_subscriptions:$/m, `$&\n$1  request_url: ${url}`);
  edit(/^( +)is_enabled: true$/m, `$&\n$1request_url: ${url}`);
  edit(/^( +)socket_mode_enabled: true$/m, '$1socket_mode_enabled: false');
  if (distributed) edit(/^oauth_config:$/m, `$&\n  redirect_urls:\n    - ${http}${REDIRECT}`);
  return made;
}

export const USAGE = `Usage: npm run manifest -- [--http https://host [--distributed]] [--prefix word]

Prints the manifest of the Slack app: as in manifest.yml for Socket Mode, or with the request URLs for deliveries over HTTP.
--distributed adds the redirect URL for workspaces that install the app themselves. --prefix turns /trust into /word-trust;
the configuration then says commandPrefix: 'word'.
`;

/** Reads the arguments, or says what is wrong with them. */
export function readManifestWish(args: readonly string[]): ManifestWish | { readonly problem: string } {
  const [name, value = '', ...rest] = args;
  if (name === undefined) return {};
  if (name === '--distributed') return withRest({ distributed: true }, args.slice(1));
  if (name === '--prefix')
    return COMMAND_PREFIX.test(value)
      ? withRest({ commandPrefix: value }, rest)
      : { problem: '--prefix must be 1 to 20 small letters and digits, such as acme.' };
  if (name !== '--http') return { problem: withUsage(`There is no option ${name}.`, USAGE) };
  const url = URL.parse(value);
  if (url?.protocol !== 'https:' || `${url.pathname}${url.search}${url.hash}` !== '/')
    return { problem: '--http must be the address of the bot, such as https://bot.example.com, without a path.' };
  return withRest({ http: url.origin }, rest);
}

const COMMAND_PREFIX = /^[a-z0-9]{1,20}$/;

function withRest(wish: ManifestWish, rest: readonly string[]): ReturnType<typeof readManifestWish> {
  const others = readManifestWish(rest);
  return 'problem' in others ? others : { ...wish, ...others };
}
