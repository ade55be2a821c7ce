import type { ServerResponse } from 'node:http';
import { InstallProvider, type Installation as SlackInstallation } from '@slack/oauth';
import { systemClock } from '../../app/clock.ts';
import { given } from '../../app/given.ts';
import type { Log } from '../../app/log.ts';
import { UserId } from '../../app/records/index.ts';
import type { Installation, Installations, IsListed } from '../../app/workspaces/index.ts';
import { PAGE_HEADERS } from '../web/index.ts';
import { clientOptions, SCOPES, slackLogger, UNLISTED } from '../workspaces/index.ts';
import type { Route } from './receiver.ts';

export interface InstallSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly stateSecret: string;
  /** Where people reach the bot. Slack sends them back there. */
  readonly publicUrl: string | undefined;
  readonly apiUrl?: string | undefined;
}

const INSTALL = '/slack/install';
const REDIRECT = '/slack/oauth_redirect';

/** The two pages on which a workspace installs the app. */
export function installRoutes(
  { clientId, clientSecret, stateSecret, publicUrl, apiUrl }: InstallSettings,
  { keep, isListed }: Pick<Installations, 'keep'> & { readonly isListed: IsListed },
  log: Log,
): readonly Route[] {
  const provider = new InstallProvider({
    clientId,
    clientSecret,
    stateSecret,
    installUrlOptions: {
      scopes: [...SCOPES],
      ...(publicUrl === undefined ? {} : { redirectUri: new URL(REDIRECT, publicUrl).toString() }),
    },
    installationStore: {
      storeInstallation: async (given) => {
        const installation = ours(given);
        await keep(installation);
        log.info('A workspace took the app', { team: installation.team, by: installation.by });
      },
      fetchInstallation: () => Promise.reject(new Error('Installations are looked up by the bot, not by the library.')),
    },
    // Slack's page asks which workspace, so no page of the bot stands before it.
    directInstall: true,
    // One try for each request, because Slack takes an OAuth code only once.
    clientOptions: clientOptions(apiUrl, log),
    ...(apiUrl === undefined ? {} : { authorizationUrl: new URL('../oauth/v2/authorize', apiUrl).toString() }),
    logger: slackLogger(log),
  });
  const routes: readonly Route[] = [
    {
      method: 'GET',
      path: INSTALL,
      handler: (request, response) => void provider.handleInstallPath(request, response),
    },
    {
      method: 'GET',
      path: REDIRECT,
      handler: (request, response) =>
        void provider.handleCallback(request, response, {
          afterInstallation: async (given, _options, _request, to) => {
            const { team } = ours(given);
            if (isListed(team)) return true;
            log.warn('A workspace was not let in', { team, do: UNLISTED });
            refuse(to, team);
            return false;
          },
          failure: (error, _options, _request, to) => {
            log.warn('A workspace could not take the app', { error });
            to.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' });
            to.end(
              'The app was not installed. Go back to /slack/install and try again; the log of the bot says why.\n',
            );
          },
        }),
    },
  ];
  return routes.map(withHeaders);
}

/** Gives every answer the headers of the page for decisions. */
function withHeaders(route: Route): Route {
  return {
    ...route,
    handler: (request, response) => {
      for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
      return route.handler(request, response);
    },
  };
}

function refuse(to: ServerResponse, team: string): void {
  to.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
  to.end(
    `The app was not installed: this bot does not serve ${team}. Ask the people who run the bot to add '${team}' to ` +
      'workspaces in its configuration, then install the app again. Until then, remove it from the apps of your workspace.\n',
  );
}

/** The installation as it is stored. Where the app is installed for a whole organisation, `team` is the organisation. */
function ours({ team, enterprise, isEnterpriseInstall = false, bot, user }: SlackInstallation): Installation {
  const where = isEnterpriseInstall ? enterprise : team;
  if (where === undefined || bot === undefined) {
    throw new Error(
      'Slack named no workspace or gave no bot token, so nothing was installed. Give the app the bot scopes of manifest.yml and install it again.',
    );
  }
  return {
    team: where.id,
    isOrganisation: isEnterpriseInstall,
    ...given({ name: where.name }),
    token: bot.token,
    bot: UserId.parse(bot.userId),
    ...given({ botId: bot.id }),
    by: UserId.parse(user.id),
    atMs: systemClock.now(),
  };
}
