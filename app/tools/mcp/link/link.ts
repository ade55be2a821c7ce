import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ErrorCode,
  McpError,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Json, Timers } from '../../../../interventions/index.ts';
import { given } from '../../../given.ts';
import { isJsonObject } from '../../../json.ts';
import { errorText, type Log } from '../../../log.ts';
import { orLog } from '../../../or-log.ts';
import { nextTurn } from '../../../time/index.ts';
import { OutcomeUnknownError } from '../../index.ts';
import type { Elicitation, ElicitationAnswer } from '../call/elicitation.ts';
import { CallResult } from '../call/result.ts';
import { CallTimeError } from '../call/running.ts';
import type { ServerSettings } from '../file.ts';
import { SERVER_LIMITS } from '../limits.ts';
import { transportTo } from './transport.ts';

/** One connection to a server. It is never repaired: a new connection takes the place of a lost one. */
export interface ServerLink {
  /** All entries of the server's list of tools, unchecked. */
  readonly list: () => Promise<readonly unknown[]>;
  /** Rejects with `OutcomeUnknownError` when the call was sent and its outcome is not known. */
  readonly call: (tool: string, input: Json, signal: AbortSignal) => Promise<z.output<typeof CallResult>>;
  readonly ping: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface LinkDeps {
  readonly settings: ServerSettings;
  readonly log: Log;
  readonly timers: Timers;
  /** Called once when either side ends the connection. Not called for a connection that was never made. */
  readonly onLost: () => void;
  readonly onToolsChanged: () => void;
  /** Called when the transport reports an error, so that the connection can be pinged. */
  readonly onDoubt: () => void;
  readonly onQuestion: (question: Elicitation, signal: AbortSignal) => Promise<ElicitationAnswer>;
}

/** Rejects when the server cannot be started or reached, or does not answer in time. */
export async function openLink(deps: LinkDeps): Promise<ServerLink> {
  const { settings, log, timers, onLost, onToolsChanged, onDoubt, onQuestion } = deps;
  // The server gets neither files nor the model of the bot. Questions to people are the only capability.
  const client = new Client({ name: 'countersign', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
    if (params.mode === 'url') return { action: 'decline' };
    const schema: Elicitation['schema'] = JSON.parse(JSON.stringify(params.requestedSchema));
    const answer = await onQuestion({ message: params.message, schema }, signal);
    return answer.action === 'accept' ? { action: 'accept', content: writable(answer.content) } : answer;
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
  client.onerror = (error) => {
    log.debug('The connection to a tool server had an error.', { server: settings.name, error });
    onDoubt();
  };
  // The connection is broken already, and `onclose` reports it. A failure to close it is only logged.
  const giveUp = () => {
    const about = { server: settings.name };
    void orLog(log.debug, 'A broken connection to a tool server was not closed.', about, () => client.close());
  };
  const transport = transportTo(settings, { log, timers, onBroken: giveUp });
  // The client's own types do not tell "absent" from "undefined" in the session of a transport; it handles both.
  await client.connect(transport as Parameters<Client['connect']>[0], { timeout: SERVER_LIMITS.answerMs });
  let closed = false;
  client.onclose = () => {
    closed = true;
    onLost();
  };

  const list = async (): Promise<readonly unknown[]> => {
    if (client.getServerCapabilities()?.tools === undefined) return [];
    const tools: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < SERVER_LIMITS.pages; page += 1) {
      const params = given({ cursor });
      const answer = await client.request({ method: 'tools/list', params }, Page, { timeout: SERVER_LIMITS.answerMs });
      tools.push(...answer.tools.slice(0, SERVER_LIMITS.tools));
      cursor = answer.nextCursor;
      if (cursor === undefined || tools.length >= SERVER_LIMITS.tools) break;
    }
    return tools.slice(0, SERVER_LIMITS.tools);
  };

  const call: ServerLink['call'] = async (tool, input, signal) => {
    try {
      const params = { name: tool, arguments: argumentsOf(input) };
      const sent = client.request({ method: 'tools/call', params }, CallResult, { signal, timeout: NO_LIMIT_MS });
      // The result may hold a picture, and other work has its turn before it is read again.
      return await sent.finally(nextTurn);
      // Only here it is known whether the call was sent. The caller needs to know what became of it.
    } catch (error) {
      throw whatIsKnown(error, { server: settings.name, closed, signal });
    }
  };

  return {
    list,
    call,
    ping: async () => {
      await client.ping({ timeout: SERVER_LIMITS.answerMs });
    },
    close: () => client.close(),
  };
}

/** `RunningCall` keeps the limit of a call, because the time that people take does not count. */
const NO_LIMIT_MS = 2 ** 31 - 1;

const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** A call that was refused before it was read did not run. A call that could not be sent did not either. Otherwise the outcome is unknown. */
function whatIsKnown(
  error: unknown,
  { server, closed, signal }: { readonly server: string; readonly closed: boolean; readonly signal: AbortSignal },
): Error {
  const unknown = (what: string, more = {}) =>
    new OutcomeUnknownError(`The tool server ${server} ${what}.`, { cause: error, ...more });
  // First: the connection may be closed by now, because of the same trouble.
  const refused = error instanceof StreamableHTTPError && REFUSED.has(error.code ?? 500);
  if (refused || (error instanceof Error && isNeverConnected(error)))
    return new Error(`${server} cannot be reached at the moment. Nothing was sent. Try again later`, { cause: error });
  if (signal.reason instanceof CallTimeError) {
    const { limitMs } = signal.reason;
    return unknown(`was not done after ${limitMs / 1000} s and was told to stop`, { limitMs });
  }
  if (signal.aborted) return unknown('was told to stop while the call ran');
  if (closed) return unknown('was lost while the call ran');
  if (error instanceof McpError && !LOST.has(error.code)) {
    const said = errorText(error).replace(CODES, '');
    return new Error(`${server} answered with an error: ${said}`, { cause: error });
  }
  // As the SDK throws it, which is no `ZodError`.
  if (error instanceof z.core.$ZodError)
    return new Error(`${server} ran it, and its result cannot be read. Do not run it again because of this`, {
      cause: error,
    });
  return unknown('did not answer the call to its end');
}

/** The SDK of the server and ours each put the code in front, and it tells people nothing. */
const CODES = /^(?:MCP error -?\d+: )+/;

/** How a gateway says that it lost the server behind it, or waits no longer. The call may run there. */
const LOST = new Set<number>([ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout]);

/** The answers to a request that no tool has seen. A proxy sends others, as 408, also for a call that a server still runs. */
const REFUSED = new Set([400, 401, 403, 404, 405, 406, 413, 415, 422, 429]);

/** Without a connection nothing was sent. A host with several addresses has an error for each. */
function isNeverConnected({ cause }: Error): boolean {
  const errors: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return errors.every((each) => each instanceof Error && hasNoConnection(each));
}

/** A connection that took longer than `fetch` waits for one has no system call. */
function hasNoConnection({ syscall, code }: Error & { readonly syscall?: unknown; readonly code?: unknown }): boolean {
  return syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

/** What the system said under an error of `fetch`, which only says that it failed. `''`: nothing. */
export function systemCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

function argumentsOf(input: Json): Record<string, unknown> {
  if (!isJsonObject(input)) throw new Error('An input is an object.');
  return { ...input };
}

function writable(content: Extract<ElicitationAnswer, { action: 'accept' }>['content']) {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]),
  );
}
