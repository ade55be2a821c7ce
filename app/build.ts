import { createSlack, type Slack } from '../handlers/index.ts';
import { assemble, type Core } from './assembly/index.ts';
import type { Environment } from './config/index.ts';
import { type Bot, createLifecycle } from './lifecycle.ts';
import { createLate, type LateParts, type Opened, type OpeningParts, open } from './opening/index.ts';
import { orLog } from './or-log.ts';
import { createAsker } from './who-may-ask.ts';
import { openWork } from './work/index.ts';

/**
 * Makes a real process: the store, Slack and the tools around it, the parts that decide, the work on threads, and the
 * door. Only this file joins all of them. Nothing runs before `start`.
 */
export async function build(parts: OpeningParts): Promise<Bot> {
  const { environment } = parts;
  const late = createLate<LateParts>();
  const opened = await open(parts, late.parts);
  const { borders, workspaces, tools } = opened;
  const { config, store, failFast, log } = borders;
  const core = assemble(borders);
  const { runs, onDue, approverWatch } = core;
  const what = 'The approvers of the configuration could not be looked up.';
  const lookAtApprovers = () => orLog(log.warn, what, {}, async () => approverWatch.look(await workspaces.installed()));
  const { redisUrl } = environment;
  const by = borders.entryId();
  const advancing = { advance: runs.advance, rest: runs.rest, setAside: runs.setAside };
  const work = await openWork({ redisUrl, store, by, ...advancing, onDue, log });
  const door = openDoor(environment, opened, core);
  late.arrive({ workspaces, core, work, door });
  return createLifecycle({
    store: failFast,
    tools,
    door,
    runs,
    work,
    lookAtApprovers,
    log,
    hotMs: config.times.hotMs,
  });
}

/** Opens the door to Slack with all parts that it answers people with. */
function openDoor(environment: Environment, opened: Opened, core: Core): Slack {
  const { borders, workspaces, installPages, tools, web, host } = opened;
  const { config, failFast, people, log, step } = borders;
  const { port, slack } = environment;
  return createSlack({
    ...core,
    settings: {
      ...slack.door,
      apiUrl: slack.apiUrl,
      port,
      host,
      deliveriesWhileStoppingMs: config.times.deliveriesWhileStoppingMs,
    },
    routes: installPages,
    workspaces,
    store: failFast,
    asker: createAsker(people, config.whoMayAsk),
    tools: () => tools.table.all,
    web,
    commandPrefix: config.commandPrefix === undefined ? '' : `${config.commandPrefix}-`,
    log,
    step,
    ready: async () => [...(await failFast.health()).warnings, ...core.approverWatch.warnings()],
    connected: core.recordConfiguration,
  });
}
