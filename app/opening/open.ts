import type { Route } from '../../handlers/door/index.ts';
import type { WebDoorSettings } from '../../handlers/index.ts';
import { createAllPeople, createSurfaces } from '../../handlers/thread/index.ts';
import { offers } from '../../handlers/views/index.ts';
import type { Workspaces } from '../../handlers/workspaces/index.ts';
import type { Borders } from '../borders.ts';
import { systemClock as clock } from '../clock.ts';
import { type Environment, listeningHost, type OpenTools, openTools, webSettings } from '../config/index.ts';
import { concerned } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { SchemaProblem } from '../questions/index.ts';
import { createPinsJournal } from '../recorder/index.ts';
import { createSecretBox, createSigner } from '../secrets/index.ts';
import type { AtStep } from '../step.ts';
import { newEntryId as entryId, openStore, placeOf } from '../store/index.ts';
import { systemTimers as timers } from '../time/index.ts';
import type { OnElicitation } from '../tools/mcp/index.ts';
import { readConfiguration } from './configuration.ts';
import type { LateParts } from './late.ts';
import { openModel } from './model.ts';
import { openRedaction, type RedactionSources } from './redaction.ts';
import { openWorkspaces } from './workspaces.ts';

export interface OpeningParts extends Pick<RedactionSources, 'learnSecret' | 'hidePatterns'> {
  /** For the `${VARIABLES}` in the list of tool servers. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly environment: Environment;
  /** Where the configuration file is looked for. */
  readonly cwd: string;
  readonly log: Log;
  /** Called at every step of every run. Only tests use it. */
  readonly step?: AtStep;
}

export interface Opened {
  readonly borders: Borders;
  readonly workspaces: Workspaces;
  readonly installPages: readonly Route[];
  readonly tools: OpenTools;
  /** The page where calls with a second factor are decided. Absent: no tool needs it. */
  readonly web: WebDoorSettings | undefined;
  /** The address to listen on; `undefined` for all of the machine. */
  readonly host: string | undefined;
}

/** Opens what lies around the parts that decide: the configuration, the store, the workspaces, the tools, the model. */
export async function open(parts: OpeningParts, late: () => LateParts): Promise<Opened> {
  const { env, environment, cwd, learnSecret, hidePatterns, log, step = () => {} } = parts;
  const { dataDir, dataKeys, redisUrl } = environment;
  const { config, isListed } = await readConfiguration({ environment, cwd, late, log });
  const { durability, signOn } = config;
  const box = dataKeys === undefined ? undefined : createSecretBox(dataKeys);
  const opening = openWorkspaces({ environment, isListed, box, entryId, late, log });
  // Presses and deliveries need an answer soon, even a failure; runs and sweeps can wait through an outage.
  const failFast = await openStore({ redisUrl, dataDir, durability, owner: opening.owner, box, clock, log });
  const redaction = openRedaction({ environment, config, learnSecret, hidePatterns });
  const { workspaces, installPages } = opening.over(failFast);
  const onElicitation = elicitationAt(late);
  const sign = dataKeys && createSigner(dataKeys).sign;
  const pinsJournal = createPinsJournal({ store: failFast.patient, entryId, sign });
  const tools = await openTools({ config, env, pinsJournal, dataDir, log, clock, timers, onElicitation });
  const web = webSettings({ tools: tools.table.all, signOn, environment });
  const place = placeOf({ redisUrl, dataDir });
  const borders: Borders = {
    place,
    config,
    store: failFast.patient,
    failFast,
    surface: createSurfaces({ workspaces, log, clock, fileLimits: FILE_LIMITS, place }),
    people: createAllPeople({ workspaces, log, elapsed }),
    tools: tools.table,
    toolServers: tools.servers,
    model: openModel(environment, config),
    work: workAt(late),
    redaction,
    sign,
    schemaProblem,
    views: offers,
    appended: (effects) => late().door.changed(concerned(effects)),
    entryId,
    clock,
    elapsed,
    timers,
    log,
    step,
  };
  return { borders, workspaces, installPages, tools, web, host: listeningHost(signOn, environment) };
}

const FILE_LIMITS = { picture: LIMITS.pictureBytes, document: LIMITS.filesBytes, text: LIMITS.textFileBytes };

const elapsed = (): number => performance.now();

/** A tool server asks the requester in the middle of a call. */
function elicitationAt(late: () => LateParts): OnElicitation {
  return (question, { key, server, tool, signal }) =>
    late().core.askForServer({ ...question, key, server, tool, signal });
}

function workAt(late: () => LateParts): Borders['work'] {
  return {
    kick: (...thread) => late().work.kick(...thread),
    hold: (thread) => late().work.hold(thread),
  };
}

/** The checker of schemas is loaded when it is first used, because it is large and most deployments never use it. */
const schemaProblem: SchemaProblem = async (...answer) =>
  (await import('../tools/mcp/index.ts')).schemaProblem(...answer);
