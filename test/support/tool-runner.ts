import { silentLog } from '../../app/log.ts';
import type { RunJournal } from '../../app/recorder/run-journal.ts';
import { createAttempts } from '../../app/runs/gate/attempts.ts';
import { digestText } from '../../app/runs/gate/granted-call.ts';
import { guardedTool, type ToolRunnerDeps } from '../../app/runs/gate/tool-runner.ts';
import { createRedaction } from '../../app/secrets/redaction.ts';
import type { Tool } from '../../app/tools/index.ts';
import { canonicalCall } from '../../interventions/index.ts';
import { testTimers } from './timers.ts';

/** The last gate over a journal, with nothing else around it: no trust, no caps, no stop. */
export function lastGate(journal: RunJournal, changes: Partial<ToolRunnerDeps> = {}): ToolRunnerDeps {
  const nothing = async (): Promise<undefined> => undefined;
  return {
    journal,
    cards: { settle: async () => 'paid' },
    trust: { find: nothing, use: async () => 'ended' },
    redaction: createRedaction({ settings: { keys: [], patterns: [] }, key: Buffer.alloc(32) }),
    authority: {
      judge: () => ({ effect: 'asked', rule: { approvers: [], selfApproval: true }, shadows: [] }),
      policyOf: () => 'p',
    },
    stopped: new AbortController().signal,
    attempts: createAttempts(() => 'mine'),
    storeFailed: (failure) => failure,
    takenOver: (why) => new Error(`taken over: ${why}`),
    notRepeated: new Set(),
    lines: { settle: async () => 'paid' },
    toolLog: { said: () => {}, failed: () => () => {} },
    step: () => {},
    timers: testTimers(),
    log: silentLog,
    elapsed: () => 0,
    toolTimeoutMs: 1_000,
    caps: { take: async () => undefined },
    capReached: async (words: string) => new Error(words),
    toolOutputChars: 1_000,
    ...changes,
  };
}

/** The model's call `a`, without an input. */
export function runCall(parts: ToolRunnerDeps, tool: Tool) {
  const { name } = tool;
  const toolUse = { type: 'toolUse', toolUseId: 'a', name, input: {} } as const;
  const interrupt = () => {
    throw new Error('The bot asks inline.');
  };
  const digest = digestText(canonicalCall({ name, input: {} }));
  const { signal } = new AbortController();
  return guardedTool(parts, tool).run({}, { toolUse, digest, signal, invocationState: {}, interrupt });
}
