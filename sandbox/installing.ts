import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Faults } from './faults.ts';
import { answerJson, answerText, readFields } from './http.ts';
import { ANN, APP, BOT, TEAM } from './people.ts';

/**
 * How a workspace installs the app: the page on which a person agrees, and the exchange of the code for a token. Here a
 * request for the page agrees at once. `team` names the workspace. An id that begins with E is a whole organisation.
 */
export interface Installing {
  readonly agree: (request: IncomingMessage, response: ServerResponse) => void;
  readonly exchange: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

export interface InstallingOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly faults: Pick<Faults, 'take'>;
  /** Called when the app may speak there, with this token. */
  readonly installed: (team: string, token: string) => void;
}

export function createInstalling({ clientId, clientSecret, scopes, faults, installed }: InstallingOptions): Installing {
  const codes = new Map<string, string>();
  return {
    agree: (request, response) => {
      const asked = new URL(request.url ?? '/', 'http://localhost').searchParams;
      if (asked.get('client_id') !== clientId) return answerText(response, 400, 'Invalid client_id');
      const back = URL.parse(asked.get('redirect_uri') ?? '');
      if (back === null) return answerText(response, 400, 'The app named no redirect_uri');
      const code = randomBytes(8).toString('hex');
      codes.set(code, asked.get('team') ?? TEAM);
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked.get('state') ?? '');
      response.writeHead(302, { location: back.toString() }).end();
    },
    exchange: async (request, response) => {
      const { code, client_id, client_secret } = await readFields(request);
      const fault = faults.take('oauth.v2.access');
      if (fault?.type === 'platform') return answerJson(response, { ok: false, error: fault.error });
      if (client_id !== clientId || client_secret !== clientSecret) {
        return answerJson(response, { ok: false, error: 'bad_client_secret' });
      }
      const team = codes.get(String(code));
      if (team === undefined) return answerJson(response, { ok: false, error: 'invalid_code' });
      codes.delete(String(code));
      const token = `xoxb-${team}-${randomBytes(4).toString('hex')}`;
      installed(team, token);
      const isOrganisation = team.startsWith('E');
      answerJson(response, {
        ok: true,
        app_id: APP,
        access_token: token,
        token_type: 'bot',
        scope: scopes.join(','),
        bot_user_id: BOT,
        is_enterprise_install: isOrganisation,
        team: isOrganisation ? null : { id: team, name: team },
        enterprise: isOrganisation ? { id: team, name: team } : null,
        authed_user: { id: ANN },
      });
    },
  };
}
