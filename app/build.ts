import { randomBytes } from 'node:crypto';
import { createAllPeople, createReaches, createSurfaces } from '../handlers/everywhere.ts';
import { createSlack } from '../handlers/index.ts';
import { installRoutes } from '../handlers/install.ts';
import { createManyWorkspaces } from '../handlers/many-workspaces.ts';
import type { SlackSettings } from '../handlers/receiver.ts';
import { showsWholeInput } from '../handlers/views/call.ts';
import { isEditable } from '../handlers/views/edit-modal.ts';
import { mayApproveTogether } from '../handlers/views/list-card.ts';
import { showsWholeInRow } from '../handlers/views/list-row.ts';
import { createOneWorkspace, type Workspaces } from '../handlers/workspaces.ts';
import { slidingWindow } from './agent/memory/sliding-window.ts';
import { createAnthropicModel } from './agent/model.ts';
import { systemPrompt } from './agent/prompt.ts';
import type { Misfit } from './approvals/form-answers.ts';
import { createApprovals } from './approvals.ts';
import { createAuthority } from './authority.ts';
import { createCaps } from './caps.ts';
import { createCards } from './cards.ts';
import { systemClock } from './clock.ts';
import { loadConfigFile } from './config-file.ts';
import { createConfigurationRecord, describeConfiguration } from './configuration.ts';
import { createDoubts } from './doubts.ts';
import { createDue } from './due.ts';
import { checkEdit } from './edits.ts';
import type { Environment } from './environment.ts';
import { createFeedback } from './feedback.ts';
import { newId, runIdFor } from './ids.ts';
import { createInquiries } from './inquiries.ts';
import { createInstallations, type Installations } from './installations.ts';
import { concerned } from './journal/effects.ts';
import { leave } from './leaving.ts';
import { type Bot, createLifecycle } from './lifecycle.ts';
import { LIMITS } from './limits.ts';
import type { Log } from './log.ts';
import { type ApprovalId, type GrantId, type RunId, type ThreadKey, threadKey } from './records.ts';
import { createReminders } from './reminders.ts';
import { createArchive } from './retention/archive.ts';
import { createRetention } from './retention.ts';
import { openRunJournal, type RunJournal } from './run-journal.ts';
import { createAgentRun } from './runs/agent-run.ts';
import { createAttempts } from './runs/attempts.ts';
import { chosenResult, unknownResult } from './runs/doubt-results.ts';
import { showAgain } from './runs/showing-again.ts';
import { digestText } from './runs/tool-runner.ts';
import { WORDS } from './runs/words.ts';
import { createRuns } from './runs.ts';
import { createSeals } from './seals.ts';
import { webSettings } from './second-factor.ts';
import { createSecretBox } from './secret-box.ts';
import { fingerprintKey } from './secrets/fingerprint-key.ts';
import { createRedaction } from './secrets/redaction.ts';
import { createSafeWords } from './secrets/said.ts';
import type { AtStep } from './step.ts';
import { shardOfTeam, shardOfThread } from './store/keys.ts';
import { openStore } from './store/open.ts';
import type { Effect } from './store/store.ts';
import { createSuggestions } from './suggestions.ts';
import type { OnElicitation } from './tools/mcp/index.ts';
import { openTools } from './tools/open-tools.ts';
import { createTrust } from './trust.ts';
import { trustLine } from './trust-lines.ts';
import { createUsage } from './usage.ts';
import { createWaiting } from './waiting.ts';
import { openWork } from './work/open.ts';
import { createWorkspaceJournal } from './workspace-journal.ts';

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

/** Makes every part once and hands each what it needs. The only place where they all meet. */
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
          teamOfApproval: async (id) => ((await approvals.find(id)) ?? (await approvals.findList(id)))?.thread.team,
          ...apiUrl,
          log,
        });
  const config = await loadConfigFile(environment.configFile, {
    cwd,
    now: systemClock.now,
    reach: createReaches(workspaces),
  });
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
  const counts = config.limits.perRequester !== undefined || config.limits.perTool !== undefined;
  const recording = { store, entryId, clock: systemClock, appended, sealsItems: dataKeys !== undefined, counts };
  const redaction = createRedaction({
    settings: config.redact,
    key: fingerprintKey(dataKeys?.[0], access.type === 'one' ? access.botToken : access.clientSecret),
    found: learnSecret,
  });
  hidePatterns(config.redact.patterns);
  const safe = createSafeWords(redaction, (name) => tools.find(name));
  const journalOf = (run: RunId): RunJournal => openRunJournal(recording, run);
  const quickJournalOf = (run: RunId): RunJournal => openRunJournal({ ...recording, store: quick }, run);
  const newGrantId = (team: string): GrantId => newId('g', shardOfTeam(team, store.shards));
  const newQuestionId = (run: RunId): ApprovalId => newId('a', Number(run.slice(0, 2)));
  const elapsed = () => performance.now();
  const installations = (): Installations => {
    if (box === undefined) throw new Error('Tokens of workspaces are kept only encrypted. Set DATA_KEY.');
    return createInstallations({ store: quick, journal: createWorkspaceJournal({ store: quick, entryId }), box });
  };

  const attempts = createAttempts(entryId);
  const posting = { by: entryId(), patienceMs: store.engine === 'sqlite' ? 0 : LIMITS.postPatienceMs };
  const surface = createSurfaces({
    workspaces,
    log,
    clock: systemClock,
    fileLimits: { picture: LIMITS.pictureBytes, document: LIMITS.documentBytes, text: LIMITS.textFileBytes },
  });
  const cards = createCards({ surface, log, step });
  const waiting = createWaiting({ log });

  const inquiries = createInquiries({
    store: quick,
    journalOf,
    quickJournalOf,
    surface,
    cards,
    waiting,
    log,
    step,
    newInquiryId: newQuestionId,
    // Loaded already where a tool server asked.
    misfit,
  });
  const onElicitation: OnElicitation = (question, { key, server, tool, signal }) =>
    inquiries.ask({ ...question, key, server, tool, signal });
  const opened = await openTools({ config, env, dataDir, log, clock: systemClock, timers, onElicitation });
  const tools = opened.table;
  const web = webSettings({ tools: tools.all, signOn: config.signOn, environment });

  const people = createAllPeople({ workspaces, log, elapsed });
  const authority = createAuthority({
    tools,
    people,
    rules: config.rules,
    requesterIn: async (thread) => {
      const { currentRun } = await store.thread(threadKey(thread));
      return currentRun === undefined ? undefined : (await journalOf(currentRun).refresh())?.requester;
    },
  });

  const capsOfRun = createCaps({
    caps: config.limits,
    prices: config.model.prices,
    store,
    stateOf: (run) => journalOf(run).refresh(),
  });

  const trust = createTrust({
    ...recording,
    newGrantId,
    lineFor: trustLine,
    ended: (approval, by) => approvals.trustEnded(approval, by),
    counts: authority.counts,
    isCurrent: authority.isCurrent,
    mayGive: authority.mayGive,
  });

  // The hint tells whoever is awake; after the grace, somebody else is to take it.
  const wake = (thread: ThreadKey): void => work.kick(thread, store.engine === 'sqlite' ? 0 : LIMITS.graceMs);

  const approvals = createApprovals({
    store: quick,
    journalOf: quickJournalOf,
    cards,
    showsWholeInput,
    showsWholeInRow,
    mayApproveTogether,
    isEditable,
    offer: authority.offer,
    misfit,
    safe,
    checkEdit: (asked, before, typed) => checkEdit({ tools, digest: digestText, redaction }, asked, before, typed),
    newGrantId,
    now: systemClock.now,
    log,
    step,
    mayDecide: authority.mayDecide,
    lostYeses: authority.lostYeses,
    groupsOf: authority.groupsOf,
    termsOfEdit: authority.termsOfEdit,
    grantTrust: trust.grantFrom,
    showAgain: (journal, lost) => showAgain({ surface, waiting, posting, cards, log, step }, journal, lost),
    request: ({ id, thread, tool, summary, input }, by) =>
      runs.take({
        thread,
        user: by.user,
        userTeam: by.team,
        ts: `again:${id}`,
        text: WORDS.askAgain({ tool, summary, input }),
      }),
    wake,
  });

  const doubts = createDoubts({
    store: quick,
    journalOf: quickJournalOf,
    cards,
    mayChoose: authority.mayTell,
    safe,
    results: { chosen: chosenResult, unknown: unknownResult },
    wake,
    log,
    step,
  });

  const runAgent = createAgentRun({
    store,
    redaction,
    suggestions: createSuggestions({
      settledFor: approvals.settledFor,
      after: config.limits.suggestAfter,
      log,
    }),
    journalOf,
    tools,
    trust,
    authority,
    people,
    capsOfRun,
    afterDenialMs: config.times.afterDenialMs,
    cards,
    surface,
    log,
    step,
    elapsed,
    attempts,
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
    modelAttempts: config.model.attempts,
    system: systemPrompt({ instructions: config.instructions }),
    asking: {
      surface,
      cards,
      waiting,
      log,
      step,
      posting,
      giveTrust: trust.grantFrom,
      newApprovalId: newQuestionId,
    },
    newDoubtId: newQuestionId,
    conversation: slidingWindow(),
    turnsPerRun: config.limits.turnsPerRun,
    toolCallsPerTurn: config.limits.toolCallsPerTurn,
    toolTimeoutMs: config.times.toolTimeoutMs,
    toolOutputChars: config.limits.toolOutputChars,
    approvalLifetimeMs: config.times.approvalLifetimeMs,
    timers,
    clock: systemClock,
  });

  const workspaceJournal = createWorkspaceJournal(recording);
  const configuration = createConfigurationRecord({
    journal: workspaceJournal,
    shards: store.shards,
    log,
    describe: () => describeConfiguration({ config, tools: tools.all, policyOf: authority.policyOf }),
  });
  const seals = createSeals({
    workspaces: workspaceJournal,
    shards: store.shards,
    before: configuration.record,
    retainMs: config.retention?.afterMs,
  });
  const archive = config.retention && createArchive({ store, ...config.retention });
  const runs = createRuns({
    store,
    quick,
    quickJournalOf,
    surface,
    cards,
    waiting,
    journalOf,
    runAgent,
    log,
    step,
    elapsed,
    attempts,
    patienceMs: store.engine === 'sqlite' ? 0 : LIMITS.leaseMs,
    posting,
    runIdFor: (thread, message) => runIdFor(thread, message, shardOfThread(thread, store.shards)),
    seals,
    timers,
    kick: (thread) => work.kick(thread),
    hold: (thread) => work.hold(thread),
  });

  const retention = createRetention({ store, journalOf, seals, archive, log });
  const reminders = createReminders({ store, journalOf, surface, log });

  const onDue = createDue({ approvals, inquiries, doubts, reminders, retention });
  const work = await openWork({ redisUrl, store, advance: runs.advance, rest: runs.rest, onDue, log });

  const ready = () => quick.health().then(({ warnings }) => warnings);
  const feedback = createFeedback({ journalOf: quickJournalOf, log });
  const usage = createUsage({ store: quick, journalOf: quickJournalOf, prices: config.model.prices });
  const leaving = { store: quick, journalOf: quickJournalOf, endTrust: trust.endAll, kick: work.kick, log };
  const door = createSlack({
    routes: access.type === 'one' ? [] : installRoutes({ ...access, publicUrl, ...apiUrl }, installations(), log),
    ...{ settings, workspaces, approvals, inquiries, doubts, feedback, trust, usage, runs },
    left: (team) => leave(leaving, team),
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

const timers = {
  after: (delayMs: number, fire: () => void): (() => void) => {
    const timer = setTimeout(fire, delayMs);
    return () => clearTimeout(timer);
  },
};

/** The checker of schemas is large, and most deployments never ask it anything. */
const misfit: Misfit = async (...answer) => (await import('./tools/mcp/index.ts')).misfit(...answer);
