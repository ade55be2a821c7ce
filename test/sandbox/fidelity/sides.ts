import { createEmulator } from 'emulate';
import { type ApiObject, at, isObject, textAt } from '../../../sandbox/json.ts';
import { ANN, BEN, GENERAL, GRID_PERSON, OPS } from '../../../sandbox/people.ts';
import { startSandbox } from '../../../sandbox/server.ts';

/** One stand-in for Slack, asked over HTTP, and the ids by which it knows the same people and channels. */
export interface Side {
  /** The answer, or `undefined` where it has no such method. */
  readonly call: (method: string, fields: ApiObject) => Promise<ApiObject | undefined>;
  readonly ann: string;
  readonly ben: string;
  /** With this person the bot has no direct conversation yet. */
  readonly wes: string;
  /** A channel with the bot, and one without. */
  readonly ops: string;
  readonly elsewhere: string;
  /** The `ts` of a message that Ann wrote in `ops`. */
  readonly writtenByAnn: () => Promise<string>;
  /** A trigger as a press of Ann gives it. */
  readonly trigger: () => Promise<string>;
  readonly close: () => Promise<unknown>;
}

const BOT_TOKEN = 'xoxb-fidelity';
const ANNS_TOKEN = 'xoxp-fidelity';
const SCOPES = [
  ...['chat:write', 'channels:history', 'channels:read', 'im:history', 'im:read', 'im:write'],
  ...['files:read', 'files:write', 'groups:history', 'reactions:write', 'users:read'],
];

export async function sandboxSide(): Promise<Side> {
  const sandbox = await startSandbox({ botToken: BOT_TOKEN, scopes: SCOPES });
  const { world } = sandbox;
  const general = world.channels.get(GENERAL);
  if (general !== undefined) world.channels.set(GENERAL, { ...general, members: [ANN, BEN] });
  return {
    call: callAt(sandbox.slackApiUrl),
    ...{ ann: ANN, ben: BEN, wes: GRID_PERSON, ops: OPS, elsewhere: GENERAL },
    writtenByAnn: async () => (await world.say(ANN, OPS, 'mine')).ts,
    trigger: async () => {
      const { delivery } = await world.shortcut(ANN, await world.say(ANN, OPS, 'look'), 'look');
      return textAt(delivery.payload, 'trigger_id');
    },
    close: sandbox.close,
  };
}

export async function emulateSide(): Promise<Side> {
  const bot = { user_id: 'U0FIDELITY', bot_id: 'B0FIDELITY', app_id: 'A0FIDELITY' };
  const emulator = await createEmulator({
    service: 'slack',
    port: 0,
    seed: {
      slack: {
        strict_scopes: true,
        users: [{ name: 'ann' }, { name: 'ben' }, { name: 'wes' }],
        channels: [{ name: 'ops' }, { name: 'elsewhere', is_private: true }],
        oauth_apps: [
          {
            ...{ client_id: 'c', client_secret: 's', name: 'countersign', redirect_uris: [], scopes: SCOPES },
            ...{ app_id: bot.app_id, bot_id: bot.bot_id, bot_user_id: bot.user_id, bot_name: 'countersign' },
          },
        ],
        tokens: [
          { token: BOT_TOKEN, type: 'bot', scopes: SCOPES, ...bot },
          { token: ANNS_TOKEN, user: 'ann', scopes: [...SCOPES, 'groups:read'] },
        ],
      },
    },
  });
  const call = callAt(`${emulator.url}/api/`);
  const idOf = async (method: string, list: string, name: string) => {
    const answer = await call(method, { token: ANNS_TOKEN, types: 'public_channel,private_channel' });
    const found = answer?.[list];
    const named = Array.isArray(found) ? found.find((one) => at(one, 'name') === name) : undefined;
    return textAt(named, 'id');
  };
  const ops = await idOf('conversations.list', 'channels', 'ops');
  const ann = await idOf('users.list', 'members', 'ann');
  return {
    call,
    ann,
    ben: await idOf('users.list', 'members', 'ben'),
    wes: await idOf('users.list', 'members', 'wes'),
    ops,
    elsewhere: await idOf('conversations.list', 'channels', 'elsewhere'),
    writtenByAnn: async () =>
      textAt(await call('chat.postMessage', { token: ANNS_TOKEN, channel: ops, text: 'mine' }), 'ts'),
    trigger: async () => textAt(await call('views.generateTriggerId', { user_id: ann }), 'trigger_id'),
    close: emulator.close,
  };
}

function callAt(api: string): Side['call'] {
  return async (method, { token = BOT_TOKEN, ...fields }) => {
    const response = await fetch(`${api}${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(token)}`, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    if (response.status === 404) return undefined;
    const answer: unknown = await response.json();
    return isObject(answer) ? answer : undefined;
  };
}
