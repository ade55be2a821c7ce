import type { Json } from '../../../interventions/index.ts';
import { orLog } from '../../or-log.ts';
import type { Tool, ToolRunHelp } from '../index.ts';
import type { Elicitation, ElicitationAnswer, OnElicitation } from './call/elicitation.ts';
import { errorText, resultOutput } from './call/result.ts';
import { type RunningCall, startCall } from './call/running.ts';
import { createSharing } from './call/sharing.ts';
import type { ServerTool } from './definition.ts';
import { type KeepLinkDeps, keepLink } from './link/keep.ts';
import { openLink, type ServerLink } from './link/link.ts';
import { toolName } from './names.ts';
import { createOffering, type OfferingDeps, readTools } from './offering.ts';
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

type OnQuestion = KeepLinkDeps['onQuestion'];
const CANCELLED: ElicitationAnswer = { action: 'cancel' };
/** An error and no cancellation, which a server takes for a choice. Called again, the tool has its own connection. */
const NOT_ASKED = 'No person was asked, as two calls asked at once. Call the tool again';

export function startToolServer(deps: ToolServerDeps): ToolServer {
  const { settings, log, clock, timers, onElicitation } = deps;
  const server = settings.name;
  const sharing = createSharing();
  const offering = createOffering({ ...deps, call: run });
  const link = keepLink({
    ...deps,
    busy: () => sharing.calls() > 0,
    onList: offering.list,
    onQuestion: async (question, signal) => ask(await sharing.asker(signal), question, signal),
  });

  async function run(tool: ServerTool, standing: PinStanding, input: Json, help: ToolRunHelp): Promise<unknown> {
    const kept = await link.fresh();
    await offering.compare();
    // The tool must still be the one that people were asked about, here and for all replicas.
    if (offering.now().standings.get(tool.hash) !== standing) throw changed(tool);
    help.signal.throwIfAborted();
    const { key, thread, requester, signal } = help;
    const about = { server, tool: toolName(server, tool.name), key, thread, requester, signal };
    const call = startCall({ about, timeoutMs: settings.timeoutMs, timers, now: clock.now, onElicitation });
    try {
      const result = await (sharing.isFree()
        ? sharing.run(call, () => kept.call(tool.name, input, call.signal))
        : runBeside(tool, input, call));
      if (result.isError === true) throw new Error(errorText(result));
      return resultOutput(result);
    } finally {
      call.end();
    }
  }

  /** Runs the call on a connection of its own, whose questions can belong to no other call. */
  async function runBeside(tool: ServerTool, input: Json, call: RunningCall) {
    const own = await openBeside(call);
    try {
      const listed = await readTools(await own.list(), { settings, log });
      if (!listed.some(({ hash }) => hash === tool.hash)) throw changed(tool);
      call.signal.throwIfAborted();
      return await own.call(tool.name, input, call.signal);
    } finally {
      await orLog(log.debug, 'The connection to a tool server was not closed.', { server }, () => own.close());
    }
  }

  async function openBeside(call: RunningCall): Promise<ServerLink> {
    const ignored = { onLost() {}, onToolsChanged() {}, onDoubt() {} };
    const onQuestion: OnQuestion = (question, signal) => ask(call, question, signal);
    try {
      return await openLink({ settings, log, timers, ...ignored, onQuestion });
      // The server is asked for a second connection only here. Its only one still has a question open.
    } catch (error) {
      const why = 'takes no second connection while another call waits for an answer';
      throw new Error(`the tool server ${server} ${why}. Nothing was sent. Try again later`, { cause: error });
    }
  }

  function changed({ name }: ServerTool): Error {
    const what = `${name} of ${server} is not what it was when this call was asked for`;
    return new Error(`${what}. Nothing was sent. Call it anew if it still fits`);
  }

  async function ask(call: RunningCall | undefined, question: Elicitation, signal: AbortSignal) {
    if (call === undefined) {
      log.warn('A question of a tool server belongs to no single call, and is not asked.', { server });
      throw new Error(NOT_ASKED);
    }
    try {
      return await call.ask(question, signal);
      // Slack or the store failed. The server gets no answer, which is never a yes.
    } catch (error) {
      log.error('A question of a tool server could not be asked.', { server, error });
      return CANCELLED;
    }
  }

  const { compare, now } = offering;
  const tried = Promise.all([compare(), link.tried.then(compare)]).then(() => {});
  return { tools: () => now().tools, tried, compare, close: link.close };
}
