import type { App } from '@slack/bolt';
import type { Approvals } from '../app/approvals/index.ts';
import type { Trust } from '../app/authority/index.ts';
import { systemClock } from '../app/clock.ts';
import type { UsageOf } from '../app/keeping/index.ts';
import type { Log } from '../app/log.ts';
import { orLog } from '../app/or-log.ts';
import type { GiveFeedback, Questions } from '../app/questions/index.ts';
import type { KnownTool } from '../app/records/index.ts';
import type { Runs } from '../app/runs/index.ts';
import type { AtStep } from '../app/step.ts';
import type { HomeClaims } from '../app/store/index.ts';
import type { Asker } from '../app/who-may-ask.ts';
import {
  createBoltApp,
  createDoor,
  createReceiver,
  type Door,
  healthRoutes,
  type Phase,
  type Route,
  register,
  type SlackSettings,
  within,
} from './door/index.ts';
import { createAllHomes, createHomes, type HomeAnswerDeps, type Homes, onHomeOpened } from './home/index.ts';
import { PRESSES, type PressesDeps } from './presses/index.ts';
import { createWhyNotHeard, type Delivery } from './responding/index.ts';
import { SPEECH, type SpeechDeps } from './speech/index.ts';
import { takeBackLost } from './thread/index.ts';
import { createLinks, createWebDoor, type SignOn } from './web/index.ts';
import { perWorkspace, type Workspaces } from './workspaces/index.ts';

type DeliveryDeps = SpeechDeps & PressesDeps & HomeAnswerDeps;

/** Every delivery that Slack may send, and what answers it. The manifest declares these and nothing else. */
export const DELIVERIES: readonly Delivery<DeliveryDeps>[] = [
  ...SPEECH,
  ...PRESSES,
  { kind: 'event', name: 'app_home_opened', declared: ['app_home_opened'], answer: onHomeOpened },
  // Each message carries what its writer has open, so the changes in between are not needed.
  { kind: 'event', name: 'app_context_changed', declared: ['app_context_changed'], answer: async () => {} },
  // The door acts on these two itself, before it acknowledges them.
  { kind: 'event', name: 'app_uninstalled', declared: ['app_uninstalled'], answer: async () => {} },
  { kind: 'event', name: 'tokens_revoked', declared: ['tokens_revoked'], answer: async () => {} },
];

const EVENTS: ReadonlySet<string> = new Set(DELIVERIES.filter(({ kind }) => kind === 'event').map(({ name }) => name));

export interface SlackDeps {
  readonly settings: SlackSettings;
  readonly workspaces: Workspaces;
  /** Stops what runs in a workspace that removed the app. */
  readonly left: (team: string, installedAtMs?: number) => Promise<void>;
  readonly approvals: Approvals;
  readonly questions: Questions;
  readonly giveFeedback: GiveFeedback;
  readonly trust: Trust;
  /** Answers soon, even a failure. */
  readonly store: HomeClaims;
  readonly usage: UsageOf;
  readonly runs: Runs;
  readonly asker: Asker;
  /** Stands between `/` and the name of each command: nothing, or a word and a hyphen. */
  readonly commandPrefix: string;
  /** What the agent can use, for the people it works for. */
  readonly tools: () => readonly KnownTool[];
  readonly log: Log;
  readonly step: AtStep;
  /** The page on which calls with a second factor are decided. Without it, these calls cannot be decided. */
  readonly web?: WebDoorSettings | undefined;
  /** Served on the port beside `/healthz` and `/readyz`. */
  readonly routes?: readonly Route[];
  /** Sentences for `/readyz` on how the rest of the bot is set up. Rejects when the bot cannot work. */
  readonly ready?: () => Promise<readonly string[]>;
  /** Called with each workspace once it is known, perhaps twice: with the one of a bot token before the first delivery. */
  readonly connected?: (team: string) => Promise<void>;
}

export interface WebDoorSettings {
  /** Signs links. */
  readonly key: Uint8Array;
  readonly publicUrl: string;
  readonly signOn: SignOn;
}

export interface Slack {
  /** Resolves when deliveries arrive. Rejects when the token is refused or the port is taken. */
  readonly start: () => Promise<void>;
  /** Takes what Slack still sends for a while, then nothing new, and waits for what is being answered. */
  readonly stop: () => Promise<void>;
  /** Redraws the Home tabs of these people: something that concerns them has changed. */
  readonly changed: Homes['changed'];
  /** Sends what is still owed, after the last run has stopped writing. */
  readonly drain: () => Promise<void>;
}

/** Takes deliveries from Slack and answers them. Opens nothing before `start`. */
export function createSlack({
  settings,
  workspaces,
  left,
  web,
  routes = [],
  ready = async () => [],
  connected,
  ...given
}: SlackDeps): Slack {
  const links = web === undefined ? undefined : createLinks({ ...web, now: systemClock.now });
  const deps = { ...given, links };
  const { approvals, runs, trust, asker, log, step } = deps;
  const pages =
    web === undefined || links === undefined ? [] : createWebDoor({ ...web, links, approvals, workspaces, log });
  let phase: Phase = 'new';

  const homesOf = perWorkspace(({ client }) => createHomes({ ...deps, client }));
  const homes = createAllHomes({ workspaces, homesOf, log });
  const depsOf = perWorkspace((workspace): DeliveryDeps => {
    const { bot, client } = workspace;
    return {
      ...deps,
      client,
      bot: () => bot,
      homes: homes.of(workspace),
      takeBackLost: (question, place) => takeBackLost({ approvals, client, log }, question, place),
    };
  });
  const door = createDoor({
    runs,
    trust,
    log,
    step,
    workspaces,
    left,
    cardDeleted: approvals.cardDeleted,
    events: EVENTS,
    whyNotHeard: createWhyNotHeard({ asker, runs, workspaces, log }),
    botsMayAsk: asker.bots,
  });
  const receiver = createReceiver(settings, [...healthRoutes(() => phase, ready, log), ...pages, ...routes], log);
  const app = createBoltApp({ receiver, door, apiUrl: settings.apiUrl, log });
  register(app, prefixed(DELIVERIES, deps.commandPrefix), { workspaces, depsOf, log });

  return {
    start: async () => {
      await openWorkspaces(workspaces, connected);
      await app.start();
      phase = 'serving';
      log.info('Slack is connected', { by: settings.appToken ? 'socket' : 'http' });
      // The bot serves meanwhile.
      void tellOfInstalled({ workspaces, log }, connected, () => phase === 'serving');
    },
    stop: async () => {
      const wasServing = phase === 'serving';
      phase = 'stopping';
      if (wasServing) await receiver.takeLast();
      door.close();
      homes.stop();
      await stopAnswering(app, door, { bySocket: settings.appToken !== undefined, wasServing });
    },
    changed: homes.changed,
    drain: () => within(LAST_SENT_MS, workspaces.drain()),
  };
}

/** The table with the commands as Slack sends them to this deployment. */
function prefixed(table: typeof DELIVERIES, prefix: string): typeof DELIVERIES {
  return table.map((row) => (row.kind === 'command' ? { ...row, name: row.name.replace('/', `/${prefix}`) } : row));
}

/** Tells `connected` of each workspace that the app is installed in, one after the other. */
async function tellOfInstalled(
  { workspaces, log }: Pick<SlackDeps, 'workspaces' | 'log'>,
  connected: SlackDeps['connected'],
  goesOn: () => boolean,
): Promise<void> {
  const what =
    'Not all installed workspaces were looked at after the start. Each is looked at when a run begins there.';
  // The store may be away.
  await orLog(log.warn, what, {}, async () => {
    for (const team of await workspaces.installed()) if (goesOn()) await connected?.(team);
  });
}

/** Tells `connected` of the one workspace of a deployment. */
async function openWorkspaces(workspaces: Workspaces, connected: SlackDeps['connected']): Promise<void> {
  await workspaces.open();
  const here = await workspaces.ofDelivery(undefined);
  if (here !== undefined) await connected?.(here.bot.team_id);
}

/**
 * Bolt's own stop does not wait for answers. An HTTP server stops listening and still answers what it has; a socket must
 * stay open until its deliveries are acknowledged.
 */
async function stopAnswering(
  app: Pick<App, 'stop'>,
  door: Pick<Door, 'idle'>,
  { bySocket, wasServing }: { readonly bySocket: boolean; readonly wasServing: boolean },
): Promise<void> {
  if (bySocket) await within(DRAIN_MS, door.idle());
  const closed = wasServing ? app.stop() : Promise.resolve();
  await within(DRAIN_MS, Promise.all([closed, door.idle()]));
}

const DRAIN_MS = 10_000;
/** With `LIMITS.shutdownMs` before it, less than the 30 s after which most platforms kill a process. */
const LAST_SENT_MS = 5_000;
