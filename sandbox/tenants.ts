import { type ActStage, tellApp } from './acts/act.ts';
import { createDeliveries, type Deliveries, type Transport } from './delivery/deliveries.ts';
import { createFaults, type Faults } from './faults.ts';
import { tenantOf } from './organisation.ts';
import { createState, type State } from './state.ts';
import type { WebApiOptions } from './web-api/server.ts';
import { createWorld, type World } from './world.ts';

/** A workspace, or a whole organisation, that installed the app: with its own people, channels, faults and deliveries. */
export interface Tenant {
  readonly state: State;
  readonly world: World;
  readonly faults: Faults;
  readonly deliveries: Deliveries;
  readonly webApi: WebApiOptions;
}

export interface Tenants {
  /** The workspace that has the app from the beginning. */
  readonly home: Tenant;
  readonly all: () => readonly Tenant[];
  /** An unknown token leads home, where it is refused. */
  readonly ofToken: (token: string) => Tenant;
  /** As it was installed last. */
  readonly ofTeam: (team: string) => Tenant | undefined;
  /** The tenant in whose state something is found, or else the home. */
  readonly having: (isFound: (state: State) => boolean) => Tenant;
  /** The app may speak there from now on, with this token. What is in the workspace stays over a second installation. */
  readonly install: (team: string, token: string) => void;
}

/** What the app declared, and the patience of Slack: the same for every tenant. */
export interface TenantSettings {
  /** The commands of the app; another one is refused. Without a list every command is taken. */
  readonly commands?: readonly string[];
  /** The events that the app subscribed to, as in its manifest. Without a list every event is sent. */
  readonly events?: readonly string[];
  /** How long a stream may live. */
  readonly streamLifeMs?: number;
  /** Pauses before an event that was not acknowledged comes again. */
  readonly eventRetryMs?: readonly number[];
  readonly acknowledgeWithinMs?: number;
  /** How long `world.until` waits. */
  readonly patienceMs?: number;
}

export interface TenantsOptions {
  readonly settings: TenantSettings;
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

export function createTenants(options: TenantsOptions): Tenants {
  const { homeState, homeToken, now } = options;
  const home = openTenant(options, homeState, homeToken);
  const byToken = new Map([[homeToken, home]]);
  const all = (): readonly Tenant[] => [...byToken.values()];
  return {
    home,
    all,
    ofToken: (token) => byToken.get(token) ?? home,
    ofTeam: (team) => all().findLast(({ state }) => tenantOf(state) === team),
    having: (isFound) => all().find(({ state }) => isFound(state)) ?? home,
    install: (team, token) => {
      const before = all().find(({ state }) => tenantOf(state) === team);
      byToken.set(token, openTenant(options, before?.state ?? createState(now, team), token));
    },
  };
}

function openTenant(options: TenantsOptions, state: State, botToken: string): Tenant {
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
    sendEvent: (event) => tellApp(stage, event),
    address: () => url,
    streamLifeMs: settings.streamLifeMs ?? STREAM_LIFE_MS,
    openConnection,
  };
  const world = createWorld(stage, deliveries, { faults, patienceMs: settings.patienceMs ?? PATIENCE_MS });
  return { world, state, faults, deliveries, webApi };
}
