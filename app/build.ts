import { randomBytes } from 'node:crypto';
import { installRoutes, type SlackSettings } from '../handlers/door/index.ts';
import { createSlack } from '../handlers/index.ts';
import { createAllPeople, createReaches, createSurfaces } from '../handlers/thread/index.ts';
import { isEditable, mayApproveTogether, showsWholeInput, showsWholeInRow } from '../handlers/views/index.ts';
import { createManyWorkspaces, createOneWorkspace, type Workspaces } from '../handlers/workspaces/index.ts';
import { createAnthropicModel } from './agent/model/index.ts';
import type { Misfit } from './approvals/index.ts';
import { assemble, type Core } from './assembly/index.ts';
import { systemClock } from './clock.ts';
import { type Environment, loadConfigFile, openTools, webSettings } from './config/index.ts';
import { concerned } from './journal/index.ts';
import { type Bot, createLifecycle } from './lifecycle.ts';
import { LIMITS } from './limits.ts';
import type { Log } from './log.ts';
import { createWorkspaceJournal } from './recorder/index.ts';
import { createRedaction, createSecretBox, fingerprintKey } from './secrets/index.ts';
import type { AtStep } from './step.ts';
import { type Effect, openStore } from './store/index.ts';
import { systemTimers as timers } from './time/index.ts';
import type { OnElicitation } from './tools/mcp/index.ts';
import { createAsker } from './who-may-ask.ts';
import { openWork } from './work/index.ts';
import { createInstallations, type Installations, type IsListed, listOf } from './workspaces/index.ts';

export interface BuildParts {
  /** For the `${VARIABLES}` in the list of tool servers. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly environment: Environment;
  /** Where the configuration file is looked for. */
  readonly cwd: string;
  readonly log: Log;
  /** Told of every secret that turns up in a call, so that the log can leave it out. */
  readonly learnSecret?: (secret: string) => void;
  /** Told what else a secret looks like in this deployment, for the log. */
  readonly hidePatterns?: (patterns: readonly RegExp[]) => void;
  /** Told of every step of every run. Nobody listens outside of tests. */
  readonly step?: AtStep;
}

/** Opens what a real process leans on, and puts the parts that decide in the middle. The only place where all meet. */
export async function build({
  env,
  cwd,
  environment,
  log,
  learnSecret = () => {},
  hidePatterns = () => {},
  step = () => {},
}: BuildParts): Promise<Bot> {
  const { anthropic } = environment;
  const settings = slackSettings(environment);
  const { redisUrl, dataDir, dataKeys, publicUrl } = environment;
  const { access } = environment.slack;
  const apiUrl = environment.slack.apiUrl === undefined ? {} : { apiUrl: environment.slack.apiUrl };
  const box = dataKeys === undefined ? undefined : createSecretBox(dataKeys);
  const workspaces: Workspaces =
    access.type === 'one'
      ? createOneWorkspace({ botToken: access.botToken, ...apiUrl }, log)
      : createManyWorkspaces({
          installations: {
            find: (team) => installations().find(team),
            remove: (...left) => installations().remove(...left),
          },
          isListed: (team) => isListed(team),
          teamOfApproval: async (id) =>
            ((await core.approvals.find(id)) ?? (await core.approvals.findList(id)))?.thread.team,
          ...apiUrl,
          log,
        });
  const config = await loadConfigFile(environment.configFile, {
    cwd,
    now: systemClock.now,
    reach: createReaches(workspaces),
  });
  const isListed: IsListed = access.type === 'one' ? () => true : listOf(config.workspaces);
  // Presses and deliveries want an answer soon, also a no; runs and sweeps can wait through an outage.
  const quick = await openStore({
    dataDir,
    clock: systemClock,
    log,
    durability: config.durability,
    ...(redisUrl === undefined ? {} : { redisUrl }),
    ...(box === undefined ? {} : { box }),
  });
  const store = quick.steady;

  const entryId = () => randomBytes(9).toString('base64url');
  /** Set once Slack is there: until then nobody looks at anything. */
  let tellPeople: (effects: readonly Effect[]) => void = () => {};
  const appended = (effects: readonly Effect[]) => tellPeople(effects);
  const redaction = createRedaction({
    settings: config.redact,
    key: fingerprintKey(dataKeys?.[0], access.type === 'one' ? access.botToken : access.clientSecret),
    found: learnSecret,
  });
  hidePatterns(config.redact.patterns);
  const elapsed = () => performance.now();
  const installations = (): Installations => {
    if (box === undefined) throw new Error('Tokens of workspaces are kept only encrypted. Set DATA_KEY.');
    return createInstallations({ store: quick, journal: createWorkspaceJournal({ store: quick, entryId }), box });
  };

  const surface = createSurfaces({
    workspaces,
    log,
    clock: systemClock,
    fileLimits: { picture: LIMITS.pictureBytes, document: LIMITS.documentBytes, text: LIMITS.textFileBytes },
  });
  const onElicitation: OnElicitation = (question, { key, server, tool, signal }) =>
    core.inquiries.ask({ ...question, key, server, tool, signal });
  const opened = await openTools({ config, env, dataDir, log, clock: systemClock, timers, onElicitation });
  const tools = opened.table;
  const web = webSettings({ tools: tools.all, signOn: config.signOn, environment });

  const people = createAllPeople({ workspaces, log, elapsed });
  const core: Core = assemble({
    ...{
      config,
      store,
      quick,
      surface,
      people,
      tools,
      redaction,
      misfit,
      appended,
      entryId,
      elapsed,
      timers,
      log,
      step,
    },
    clock: systemClock,
    sealsItems: dataKeys !== undefined,
    views: { showsWholeInput, showsWholeInRow, mayApproveTogether, isEditable },
    work: {
      kick: (...thread) => work.kick(...thread),
      hold: (thread) => work.hold(thread),
    },
    model: createAnthropicModel({
      apiKey: anthropic.apiKey,
      baseUrl: anthropic.baseUrl,
      model: anthropic.model ?? config.model.name,
      maxTokens: config.model.maxTokens,
      thinking: config.model.thinking,
      webSearch: config.model.webSearch,
      timeoutMs: config.model.timeoutMs,
      silenceMs: config.model.silenceMs,
    }),
  });
  const { runs, configuration, left, onDue, ...answering } = core;
  const work = await openWork({ redisUrl, store, advance: runs.advance, rest: runs.rest, onDue, log });

  const ready = () => quick.health().then(({ warnings }) => warnings);
  const door = createSlack({
    routes:
      access.type === 'one'
        ? []
        : installRoutes({ ...access, publicUrl, ...apiUrl }, { ...installations(), isListed }, log),
    ...{ settings, workspaces, ...answering, runs, left },
    asker: createAsker(people, config.whoMayAsk),
    ...{ tools: () => tools.all, web, log, step, ready, connected: configuration.record },
  });
  tellPeople = (effects) => door.changed(concerned(effects));
  return createLifecycle({ store: quick, tools: opened, door, runs, work, hotMs: config.times.hotMs, log });
}

function slackSettings({ slack: { door, apiUrl }, port }: Environment): SlackSettings {
  return {
    ...(door.type === 'socket' ? { appToken: door.appToken } : { signingSecret: door.signingSecret }),
    ...(apiUrl === undefined ? {} : { apiUrl }),
    ...(port === undefined ? {} : { port }),
  };
}

/** The checker of schemas is large, and most deployments never ask it anything. */
const misfit: Misfit = async (...answer) => (await import('./tools/mcp/index.ts')).misfit(...answer);
