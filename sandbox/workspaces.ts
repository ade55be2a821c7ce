import { type ActStage, tellApp } from './acts/act.ts';
import { createDeliveries, type Deliveries, type Transport } from './delivery/deliveries.ts';
import { createFaults, type Faults } from './faults.ts';
import { installationIdOf } from './organisation.ts';
import { createState, type State } from './state.ts';
import type { WebApiOptions } from './web-api/server.ts';
import { createWorld, type World } from './world.ts';

/** A workspace, or a whole organisation, that installed the app: with its own people, channels, faults and deliveries. */
export interface SandboxWorkspace {
  readonly state: State;
  readonly world: World;
  readonly faults: Faults;
  readonly deliveries: Deliveries;
  readonly webApi: WebApiOptions;
}

export interface SandboxWorkspaces {
  /** The workspace that has the app from the beginning. */
  readonly home: SandboxWorkspace;
  readonly all: () => readonly SandboxWorkspace[];
  /** The home for an unknown token, which is refused there. */
  readonly ofToken: (token: string) => SandboxWorkspace;
  /** The latest installation of this team. */
  readonly ofTeam: (team: string) => SandboxWorkspace | undefined;
  /** The workspace in whose state something is found, or else the home. */
  readonly having: (isFound: (state: State) => boolean) => SandboxWorkspace;
  /** Lets the app speak there, with this token. A second installation keeps what is in the workspace. */
  readonly install: (team: string, token: string) => void;
}

/** What the app declared, and the patience of Slack: the same for every workspace. */
export interface WorkspaceSettings {
  /** The commands of the app; another one is refused. Without a list every command is taken. */
  readonly commands?: readonly string[];
  /** The events that the app subscribed to, as in its manifest. Without a list every event is sent. */
  readonly events?: readonly string[];
  /** The bot scopes of the app, as in its manifest. Without a list it has every scope. */
  readonly scopes?: readonly string[];
  /** How long a stream may live. */
  readonly streamLifeMs?: number;
  /** Pauses before an event that was not acknowledged comes again. */
  readonly eventRetryMs?: readonly number[];
  readonly acknowledgeWithinMs?: number;
  /** How long `world.until` waits. */
  readonly patienceMs?: number;
}

export interface WorkspacesOptions {
  readonly settings: WorkspaceSettings;
  readonly homeState: State;
  readonly homeToken: string;
  readonly appToken: string;
  /** The address of the sandbox. */
  readonly url: string;
  readonly now: () => number;
  readonly transport: () => Transport;
  /** A fresh address for one socket. */
  readonly openConnection: () => string;
}

const STREAM_LIFE_MS = 5 * 60_000;
const EVENT_RETRY_MS = [0, 60_000, 300_000];
const ACKNOWLEDGE_WITHIN_MS = 3000;
const PATIENCE_MS = 20_000;

export function createWorkspaces(options: WorkspacesOptions): SandboxWorkspaces {
  const { homeState, homeToken, now } = options;
  const home = openWorkspace(options, homeState, homeToken);
  const byToken = new Map([[homeToken, home]]);
  const all = (): readonly SandboxWorkspace[] => [...byToken.values()];
  return {
    home,
    all,
    ofToken: (token) => byToken.get(token) ?? home,
    ofTeam: (team) => all().findLast(({ state }) => installationIdOf(state) === team),
    having: (isFound) => all().find(({ state }) => isFound(state)) ?? home,
    install: (team, token) => {
      const before = all().find(({ state }) => installationIdOf(state) === team);
      byToken.set(token, openWorkspace(options, before?.state ?? createState(now, team), token));
    },
  };
}

function openWorkspace(options: WorkspacesOptions, state: State, botToken: string): SandboxWorkspace {
  const { settings, appToken, url, now, transport, openConnection } = options;
  const faults = createFaults();
  const deliveries = createDeliveries({
    transport,
    now,
    acknowledgeWithinMs: settings.acknowledgeWithinMs ?? ACKNOWLEDGE_WITHIN_MS,
    eventRetryMs: settings.eventRetryMs ?? EVENT_RETRY_MS,
  });
  const stage: ActStage = {
    state,
    send: deliveries.send,
    address: () => url,
    commands: settings.commands,
    events: settings.events,
  };
  const webApi: WebApiOptions = {
    state,
    faults,
    botToken,
    appToken,
    scopes: settings.scopes,
    sendEvent: (event) => tellApp(stage, event),
    address: () => url,
    streamLifeMs: settings.streamLifeMs ?? STREAM_LIFE_MS,
    openConnection,
  };
  const world = createWorld(stage, deliveries, { faults, patienceMs: settings.patienceMs ?? PATIENCE_MS });
  return { world, state, faults, deliveries, webApi };
}
