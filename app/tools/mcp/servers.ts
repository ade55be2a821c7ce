import type { Clock, Timers } from '../../../interventions/index.ts';
import type { Log } from '../../log.ts';
import type { Tool, ToolPolicy } from '../index.ts';
import type { OnElicitation } from './call/elicitation.ts';
import { describeServer } from './described.ts';
import { readServersFile, ToolServersFileError } from './file.ts';
import { SERVER_LIMITS } from './limits.ts';
import { logOfServer } from './log-of-server.ts';
import type { Pins } from './pins.ts';
import { startToolServer } from './server.ts';

export interface ToolServers {
  /** The current tools. An unchanged list is the same array. */
  readonly tools: () => readonly Tool[];
  /** How each server is reached, as `describeServer` says it. */
  readonly described: readonly string[];
  /** Calls the listener when a server lists other tools than before. Returns a function that removes it. */
  readonly onChange: (listener: () => void) => () => void;
  readonly close: () => Promise<void>;
}

export interface CreateToolServersDeps {
  /** In the shape that many programs share: `{ "mcpServers": { … } }`. */
  readonly file: string;
  readonly pins: Pins;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly policy?: Readonly<Record<string, ToolPolicy>>;
  readonly random?: () => number;
  /** Absent: every question is declined. */
  readonly onElicitation?: OnElicitation;
}

/**
 * Starts the tool servers of a file. Rejects when the file cannot be used. A server that cannot be reached is logged and
 * tried again, and after a short wait the bot goes on without it.
 */
export async function createToolServers(deps: CreateToolServersDeps): Promise<ToolServers> {
  const { file, env, log, clock, timers, policy = {}, random = Math.random } = deps;
  const { servers: list, unread } = readServersFile(file, env);
  checkPolicy(policy, { file, servers: list.map(({ name }) => name) });
  if (unread.length > 0)
    log.warn('The list of tool servers has settings that mean nothing here. Correct or remove them.', { file, unread });

  const onElicitation: OnElicitation = deps.onElicitation ?? (async () => ({ action: 'decline' }));
  const listeners = new Set<() => void>();
  const onChange = () => {
    for (const listener of listeners) listener();
  };
  const servers = list.map((settings) =>
    startToolServer({
      ...deps,
      log: logOfServer(log, { server: settings.name, now: clock.now }),
      settings,
      policy,
      random,
      onElicitation,
      onChange,
    }),
  );
  let closed = false;
  let stopWaiting = () => {};
  const patience = new Promise<void>((resolve) => {
    stopWaiting = timers.after(SERVER_LIMITS.answerMs, resolve);
  });
  await Promise.race([Promise.all(servers.map(({ tried }) => tried)), patience]);
  stopWaiting();

  let known: { readonly lists: readonly (readonly Tool[])[]; readonly all: readonly Tool[] } = { lists: [], all: [] };
  let stopComparing = () => {};
  const compareLater = () => {
    stopComparing = timers.after(SERVER_LIMITS.compareEveryMs, () => {
      void Promise.all(servers.map((server) => server.compare())).then(() => (closed ? undefined : compareLater()));
    });
  };
  compareLater();

  const tools = () => {
    const lists = servers.map((server) => server.tools());
    if (lists.length !== known.lists.length || lists.some((each, place) => each !== known.lists[place]))
      known = { lists, all: lists.flat() };
    return known.all;
  };
  for (const name of Object.keys(policy)) {
    if (name.includes('__') && !tools().some((tool) => tool.name === name))
      log.warn('The policy names a tool that its server does not list. Correct the name, or remove the policy.', {
        tool: name,
      });
  }
  return {
    tools,
    described: list.map(describeServer),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      closed = true;
      stopComparing();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

/** Refuses a policy for a server that is not in the file: it protects nothing, although its author believes it does. */
function checkPolicy(
  policy: Readonly<Record<string, ToolPolicy>>,
  { file, servers }: { readonly file: string; readonly servers: readonly string[] },
): void {
  for (const name of Object.keys(policy)) {
    const [server = '', tool] = name.split('__');
    if (tool === undefined || servers.includes(server)) continue;
    const there = servers.length === 0 ? 'It has none' : `There are: ${servers.join(', ')}`;
    const problem = `has no server ${server}, and the policy names ${name}. Correct one of the two. ${there}`;
    throw new ToolServersFileError(file, problem);
  }
}
