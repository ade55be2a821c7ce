import type { Patch } from './patched.ts';

/**
 * Each rule that only the whole bot keeps, and what the sources look like without it. Where two rules stand behind one
 * promise, `fault` takes the other one away in both runs, so that what is seen is the work of the one.
 */
export interface RuleOff {
  readonly id: string;
  readonly rule: string;
  /** Otherwise in both runs: what is broken around the bot, and waits that would be long. */
  readonly fault: readonly Patch[];
  readonly off: readonly Patch[];
  /** With the rule on: what makes the two runs alike in all else. */
  readonly on?: readonly Patch[];
}

const limit = (name: string, from: string, to: string): Patch => ({
  file: 'app/limits.ts',
  find: `  ${name}: ${from},`,
  put: `  ${name}: ${to},`,
});

const shortLock: Patch = { file: 'app/work/redis.ts', find: 'const LOCK_MS = 5_000;', put: 'const LOCK_MS = 1_500;' };
/** A process that has a thread in hand looks at it before it lets it rest. */
const noLook: Patch = { file: 'app/runs/story/advancing.ts', find: '      void waiting.look(currentRun);\n', put: '' };
const noSweep: Patch = { file: 'app/work/sweep.ts', find: '      onThreads(threads);\n', put: '' };

/** A press on a second card deletes that card. */
const noSecond: Patch = {
  file: 'app/approvals/after-press.ts',
  find: '  if (second !== undefined) void cards.takeBack(now.approval, second);\n',
  put: '',
};

export const INTENT: RuleOff = {
  id: 'FK8, FK9',
  rule: 'who posts is written before anything is posted',
  fault: [],
  off: [
    {
      file: 'app/journal/decide/posting.ts',
      find: "  if (begun?.by === by) return isOld(begun, nowMs) ? { ...claim, result: 'unsure' } : nothing('unsure');",
      put: "  if (begun !== undefined) return { entries: [], result: 'first' };",
    },
    {
      file: 'app/runs/telling/post-once.ts',
      find: 'intent?.by === by && (unhurried',
      put: 'intent !== undefined && (unhurried',
    },
    noSecond,
  ],
};

export const SEARCH: RuleOff = {
  id: 'FK9',
  rule: 'a thread is searched for a post that may stand there, whose receipt was never written',
  // The search comes before a press.
  fault: [limit('postPatienceMs', '4_000', '500')],
  off: [
    {
      file: 'app/runs/telling/post-once.ts',
      find: "    const earlier = { maybePosted: begun === 'unsure', isStale };",
      put: '    const earlier = { maybePosted: false, isStale };',
    },
    noSecond,
  ],
};

export const RECONCILE: RuleOff = {
  id: 'FR7',
  rule: 'what waits is looked at now and then, as every hint may be lost',
  fault: [
    {
      file: 'app/store/redis/connection/subscriber.ts',
      find: '    if (hint !== undefined) to.onHint(hint);\n',
      put: '',
    },
    limit('reconcileMs', '15_000', '2_000'),
    noLook,
  ],
  off: [{ file: 'app/lifecycle.ts', find: '        every(LIMITS.reconcileMs, runs.onGap),\n', put: '' }],
};

export const VERSION: RuleOff = {
  id: 'FR4, FP1',
  rule: 'an append is let in at the version it was decided on, and at no other',
  fault: [],
  off: [
    { file: 'app/store/redis/scripts.ts', find: '  if version ~= expected then', put: '  if false then' },
    { file: 'app/store/redis/scripts.ts', find: "  if ARGV[7] ~= '' then", put: '  if false then' },
  ],
};

export const START_FIRST: RuleOff = {
  id: 'FK18',
  rule: '*started* is written before the tool begins',
  fault: [],
  off: [
    {
      file: 'app/runs/gate/tool-runner.ts',
      find: "  await deps.step('call-starting');",
      put: `  const early = await runTool(tool, input, {
    signal: deps.stopped,
    key: \`\${journal.run}/\${call}\`,
    thread,
    requester,
    timeoutMs: deps.toolTimeoutMs,
    outputChars: deps.toolOutputChars,
  });
  await deps.step('tool-returned');`,
    },
    {
      file: 'app/runs/gate/tool-runner.ts',
      find: 'execute(deps, { tool: sure, input, call, attempt, toolUseId: context.toolUse.toolUseId })',
      put: 'execute(deps, { tool: sure, input, call, attempt, toolUseId: context.toolUse.toolUseId, early })',
    },
    {
      file: 'app/runs/gate/tool-runner.ts',
      find: '  const outcome = await runTool(tool, input, {',
      put: '  const outcome = work.early ?? await runTool(tool, input, {',
    },
    {
      file: 'app/runs/gate/tool-runner.ts',
      find: 'async function execute(deps: ToolRunnerDeps, work: StartedCall)',
      put: 'async function execute(deps: ToolRunnerDeps, work: any)',
    },
  ],
};

export const REGISTER_FIRST: RuleOff = {
  id: 'FK14',
  rule: 'a waiting call is in the map before the journal is read',
  // In between a person has time to press, and the process does not look a second time.
  fault: [limit('reconcileMs', '15_000', '3_600_000'), noLook],
  on: [
    {
      file: 'app/questions/waiting.ts',
      find: '  void lookQuietly(here, journal.run, sought.asked);\n  return settled;',
      put: '  setTimeout(() => void lookQuietly(here, journal.run), 3_000);\n  return settled;',
    },
  ],
  off: [
    {
      file: 'app/questions/waiting.ts',
      find: '  const settled = register(here, journal, sought);',
      put: `  const now = await journal.refresh();
  const found = now === undefined ? undefined : sought.find(now);
  if (found !== undefined) return found;
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const settled = register(here, journal, sought);`,
    },
    {
      file: 'app/questions/waiting.ts',
      find: '  void lookQuietly(here, journal.run, sought.asked);\n  return settled;',
      put: '  return settled;',
    },
  ],
};

export const TODO: RuleOff = {
  id: 'FK4',
  rule: 'a thread stays on the list of those to advance until it is advanced',
  fault: [shortLock, limit('leaseMs', '5_000', '1_500')],
  // As with a blocking pop: only the process that took it knows of it.
  off: [
    noSweep,
    { file: 'app/work/redis.ts', find: 'async ({ data }) => claim(data)', put: 'async ({ data }) => void claim(data)' },
  ],
};

export const ANY_NUMBER_OF_CRASHES: RuleOff = {
  id: 'FK23',
  rule: 'no number of crashes makes the queue give a thread up',
  // The queue alone: the sweep would make up for it.
  fault: [
    shortLock,
    noSweep,
    {
      file: 'app/work/redis.ts',
      find: 'isAlone: false',
      put: 'isAlone: true',
    },
  ],
  off: [{ file: 'app/work/redis.ts', find: 'maxStalledCount: ANY_NUMBER,', put: 'maxStalledCount: 1,' }],
};

export const STORE_FIRST: RuleOff = {
  id: 'FK1',
  rule: 'an event is stored before Slack hears that we have it',
  fault: [],
  off: [
    {
      file: 'handlers/door/door.ts',
      find: "  await step('delivery-received');",
      put: "  await event.ack();\n  await step('delivery-received');",
    },
  ],
};

export const STORE_CLOCK: RuleOff = {
  id: 'FT1, D14',
  rule: 'the clock of the store says how late it is',
  // Ten minutes behind, with questions that live for five.
  fault: [
    {
      file: 'app/clock.ts',
      find: 'systemClock: Clock = { now: () => Date.now() };',
      put: 'systemClock: Clock = { now: () => Date.now() - 600_000 };',
    },
    limit('approvalLifetimeMs', '24 * 60 * 60 * 1000', '300_000'),
  ],
  off: [
    {
      file: 'app/recorder/reading.ts',
      find: '      aheadMs = nowMs - elapsed();',
      put: '      aheadMs = Date.now() - 600_000 - elapsed();',
    },
  ],
};
