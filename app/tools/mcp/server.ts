import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../interventions/index.ts';
import type { Tool, ToolRunHelp } from '../index.ts';
import type { Elicitation, ElicitationAnswer, OnElicitation } from './call/elicitation.ts';
import { errorText, resultOutput } from './call/result.ts';
import { type RunningCall, startCall } from './call/running.ts';
import { readDefinition, type ServerTool } from './definition.ts';
import { type KeepLinkDeps, keepLink } from './link/keep.ts';
import { toolName } from './names.ts';
import type { Pins } from './pins.ts';
import { offer, type ServerToolDeps } from './server-tool.ts';

/** One tool server, for as long as the bot runs. Its tools are offered even while it is away. */
export interface ToolServer {
  readonly tools: () => readonly Tool[];
  /** Resolves after the first attempt to reach it, also a failed one. */
  readonly tried: Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ToolServerDeps
  extends Omit<ServerToolDeps, 'call'>,
    Omit<KeepLinkDeps, 'busy' | 'onList' | 'onQuestion'> {
  readonly pins: Pins;
  readonly onElicitation: OnElicitation;
  readonly onChange: () => void;
}

export function startToolServer(deps: ToolServerDeps): ToolServer {
  const { settings, pins, log, clock, timers, onElicitation, onChange } = deps;
  const server = settings.name;
  const running = new Set<RunningCall>();
  // A server that is down at the start offers the tools it was last seen with: a call that waits for a person must find
  // its tool again, and then fail because the server is away.
  let listed: readonly unknown[] = pins.all().flatMap((pin) => (pin.server === server ? [pin.definition] : []));
  let known: { readonly listed: readonly unknown[]; readonly version: string; readonly offered: Offered } | undefined;

  const link = keepLink({
    ...deps,
    busy: () => running.size > 0,
    onList: (list) => {
      if (isDeepStrictEqual(list, listed)) return;
      listed = list;
      // A tool is pinned when it is seen, not when it is first used.
      now();
      onChange();
    },
    onQuestion: (question, signal) => ask(question, signal),
  });

  /** The tools by the current list and pins. Both may change at any time, and a stale class would be wrong. */
  function now(): Offered {
    if (known !== undefined && known.listed === listed && known.version === pins.version()) return known.offered;
    const next = offered(listed, deps, run);
    // `offered` may write pins, so the version is read after it.
    known = { listed, version: pins.version(), offered: next };
    return next;
  }

  async function run(tool: ServerTool, input: Json, help: ToolRunHelp): Promise<unknown> {
    const connected = await link.fresh();
    // `fresh` may have read a new list. The tool must still be the one that people were asked about.
    if (!now().hashes.has(tool.hash))
      throw new Error(
        `${tool.name} of ${server} is not what it was when this call was asked for. Nothing was sent. Call it anew if it still fits`,
      );
    help.signal.throwIfAborted();
    const about = {
      server,
      tool: toolName(server, tool.name),
      key: help.key,
      thread: help.thread,
      requester: help.requester,
      signal: help.signal,
    };
    const call = startCall({ about, timeoutMs: settings.timeoutMs, timers, now: clock.now, onElicitation });
    running.add(call);
    try {
      const result = await connected.call(tool.name, input, call.signal);
      if (result.isError === true) throw new Error(errorText(result));
      return resultOutput(result);
    } finally {
      running.delete(call);
      call.end();
    }
  }

  /** The protocol does not say which call a question belongs to. With two calls it could reach the wrong thread. */
  async function ask(question: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer> {
    const [call, another] = running;
    if (call !== undefined && another === undefined) {
      try {
        return await call.ask(question, signal);
        // Slack or the store failed. The server gets no answer, which is never a yes.
      } catch (error) {
        log.error('A question of a tool server could not be asked.', { server, error });
        return { action: 'cancel' };
      }
    }
    log.warn('A question of a tool server belongs to no single call, and is not asked.', {
      server,
      calls: running.size,
    });
    return { action: 'cancel' };
  }

  return { tools: () => now().tools, tried: link.tried, close: link.close };
}

interface Offered {
  readonly tools: readonly Tool[];
  /** The hashes of the listed tools that may be called. */
  readonly hashes: ReadonlySet<string>;
}

function offered(
  listed: readonly unknown[],
  { settings, policy, pins, log }: ToolServerDeps,
  call: (tool: ServerTool, input: Json, help: ToolRunHelp) => Promise<unknown>,
): Offered {
  const server = settings.name;
  const leaveOut = (tool: string, problem: string) =>
    log.warn('A tool of a server is left out.', { server, tool, problem });
  try {
    const found = distinct(listed, server, leaveOut);
    const looks = pins.see(
      found.map(({ name: tool, hash, definition }) => ({
        server,
        tool,
        name: toolName(server, tool),
        hash,
        definition,
      })),
    );
    const tools: Tool[] = [];
    const hashes = new Set<string>();
    for (const [place, tool] of found.entries()) {
      const look = looks[place];
      const made =
        look === undefined ? undefined : orUndefined(() => offer(tool, look, { settings, policy, log, call }));
      if (made === undefined) leaveOut(tool.name, 'its schema cannot be used, or it changes again and again');
      else {
        tools.push(made);
        hashes.add(tool.hash);
      }
      if (look?.standing === 'changed')
        log.warn('A tool has changed since it was allowed: it is guarded until it is allowed again.', {
          server,
          tool: toolName(server, tool.name),
        });
    }
    return { tools, hashes };
    // The pins cannot be read or written. Without them a changed tool cannot be told from an unchanged one.
  } catch (error) {
    log.error('The tools of a server cannot be compared with what was allowed; none is offered.', { server, error });
    return { tools: [], hashes: new Set() };
  }
}

/** Leaves out tools that share a name, because it is not known which of them a call would reach. */
function distinct(
  listed: readonly unknown[],
  server: string,
  leaveOut: (tool: string, problem: string) => void,
): readonly ServerTool[] {
  const byName = new Map<string, ServerTool[]>();
  for (const value of listed) {
    const read = readDefinition(value);
    if (!read.ok) {
      leaveOut(read.name, read.problem);
      continue;
    }
    const name = toolName(server, read.tool.name);
    byName.set(name, [...(byName.get(name) ?? []), read.tool]);
  }
  return [...byName].flatMap(([name, [tool, another]]) => {
    if (tool === undefined) return [];
    if (another === undefined) return [tool];
    leaveOut(name, 'the server lists it more than once');
    return [];
  });
}

/** Returns `undefined` if `make` throws. */
function orUndefined<Value>(make: () => Value): Value | undefined {
  try {
    return make();
    // Only its use shows that a schema is unusable. The caller logs the tool that is left out.
  } catch {
    return undefined;
  }
}
