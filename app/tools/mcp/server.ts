import type { Json } from '../../../interventions/index.ts';
import type { Tool, ToolRunHelp } from '../index.ts';
import type { Elicitation, ElicitationAnswer, OnElicitation } from './call/elicitation.ts';
import { errorText, resultOutput } from './call/result.ts';
import { type RunningCall, startCall } from './call/running.ts';
import type { ServerTool } from './definition.ts';
import { type KeepLinkDeps, keepLink } from './link/keep.ts';
import { toolName } from './names.ts';
import { createOffering, type OfferingDeps } from './offering.ts';
import type { PinStanding } from './pins.ts';

/** One tool server, for as long as the bot runs. Its tools are offered even while it is away. */
export interface ToolServer {
  readonly tools: () => readonly Tool[];
  /** Resolves after the first attempt to reach it, also a failed one, and the comparison of its tools. */
  readonly tried: Promise<void>;
  /** Compares its tools with what other processes have pinned or allowed meanwhile. */
  readonly compare: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ToolServerDeps
  extends Omit<OfferingDeps, 'call'>,
    Omit<KeepLinkDeps, 'busy' | 'onList' | 'onQuestion'> {
  readonly onElicitation: OnElicitation;
}

export function startToolServer(deps: ToolServerDeps): ToolServer {
  const { settings, log, clock, timers, onElicitation } = deps;
  const server = settings.name;
  const running = new Set<RunningCall>();
  const offering = createOffering({ ...deps, call: run });
  const link = keepLink({
    ...deps,
    busy: () => running.size > 0,
    onList: offering.list,
    onQuestion: (question, signal) => ask(question, signal),
  });

  async function run(tool: ServerTool, standing: PinStanding, input: Json, help: ToolRunHelp): Promise<unknown> {
    const connected = await link.fresh();
    await offering.compare();
    // The tool must still be the one that people were asked about, here and for all replicas.
    if (offering.now().standings.get(tool.hash) !== standing)
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

  const { compare, now } = offering;
  const tried = Promise.all([compare(), link.tried.then(compare)]).then(() => {});
  return { tools: () => now().tools, tried, compare, close: link.close };
}
