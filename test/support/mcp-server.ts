import { randomUUID } from 'node:crypto';
import { readFileSync, watchFile } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { listen } from './listen.ts';

/**
 * A tool server that does what its tools are named for. It runs as a program (`node mcp-server.ts <file of tools>`), or
 * over HTTP inside a test. Tests change its tools by changing the list.
 */

export interface Listed {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: object;
  readonly outputSchema?: object;
  readonly annotations?: object;
}

interface Behaviour {
  readonly tools: () => readonly Listed[];
  readonly onCall?: (name: string, input: unknown) => void;
  readonly onCancelled?: () => void;
}

/** 1 MB in characters of four bytes. */
const LONG = `no ${'😀'.repeat(250_000)}`;

/** About as much as one message may hold. */
const LARGE = '<a:|'.repeat(1_900_000);

/** The same as a picture. */
const DRAWN = 'iVBORw0KGgoA'.repeat(500_000);

const ANYTHING = { type: 'object', properties: { text: { type: 'string' } } };

function toolServer({ tools, onCall, onCancelled }: Behaviour): Server {
  const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  // One tool on each page, so that a client must read all pages.
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const place = Number(params?.cursor ?? 0);
    const [tool] = tools().slice(place);
    const rest = place + 1 < tools().length ? { nextCursor: `${place + 1}` } : {};
    const entry: object[] = tool === undefined ? [] : [{ inputSchema: ANYTHING, ...tool }];
    return { tools: entry, ...rest } as never; // Also what no honest server would send.
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    onCall?.(params.name, params.arguments);
    switch (params.name) {
      case 'echo':
        return text(`echo ${JSON.stringify(params.arguments)}`);
      case 'repeat':
        return text(`a${String(params.arguments?.text).repeat(Number(params.arguments?.times))}! end`);
      case 'environment':
        return text(Object.keys(process.env).sort().join());
      case 'fail':
        return { ...text('the disk is full'), isError: true };
      case 'refuse':
        throw new Error('no such report');
      case 'fail-at-length':
        return { ...text(LONG), isError: true };
      case 'refuse-at-length':
        throw new Error(LONG);
      case 'die':
        return process.exit(3);
      case 'hang':
        signal.addEventListener('abort', () => onCancelled?.());
        return new Promise<never>(() => {});
      case 'huge':
        return text('x'.repeat(9_000_000));
      case 'large':
        return text(LARGE);
      case 'long':
        return text('y'.repeat(100_000));
      case 'kinds':
        return {
          content: [
            { type: 'text', text: 'a picture:' },
            { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' },
            { type: 'audio', data: 'aGVsbG8=', mimeType: 'audio/mpeg' },
            { type: 'resource_link', uri: 'https://example.com/report', name: 'The report' },
            { type: 'resource', resource: { uri: 'file:///notes.txt', text: 'noted' } },
            { type: 'resource', resource: { uri: 'file:///paper.pdf', blob: 'aGVsbG8=', mimeType: 'application/pdf' } },
          ],
          structuredContent: { open: 3 },
        };
      case 'nested': {
        const wide: object = { a: Array(100_000 * Number(params.arguments?.part)).fill(0) };
        return { structuredContent: Array.from({ length: 1_000 }).reduce<object>((inner) => ({ a: inner }), wide) };
      }
      case 'draw':
        return { content: [{ type: 'image', data: DRAWN, mimeType: 'image/png' }] };
      case 'structured':
        return { content: [{ type: 'text', text: '{ "open": 3 }' }], structuredContent: { open: 3 } };
      case 'ask': {
        const requestedSchema = {
          type: 'object' as const,
          properties: { branch: { type: 'string' as const, maxLength: 10 } },
          required: ['branch'],
        };
        const answer = await server.elicitInput({ message: 'Which branch?', requestedSchema });
        return text(`answered ${JSON.stringify(answer)}`);
      }
      case 'ask-alike': {
        const branch = { type: 'string' as const, enum: ['main', 'main '] };
        const requestedSchema = { type: 'object' as const, properties: { branch } };
        return text(
          `answered ${JSON.stringify(await server.elicitInput({ message: 'Which branch?', requestedSchema }))}`,
        );
      }
      case 'ask-briefly': {
        const requestedSchema = { type: 'object' as const, properties: {} };
        const answer = server.elicitInput({ message: 'Still there?', requestedSchema }, { timeout: 2_000 });
        return answer.then(
          () => text('answered'),
          () => text('took it back'),
        );
      }
      default:
        return text(`${params.name} ran`);
    }
  });
  return server;
}

function text(value: string) {
  return { content: [{ type: 'text' as const, text: value }] };
}

export interface HttpToolServer {
  readonly url: string;
  /** What the tools are from now on; those who are connected are told. */
  readonly change: (tools: readonly Listed[]) => Promise<void>;
  /** The same, without telling the clients. */
  readonly changeQuietly: (tools: readonly Listed[]) => void;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly headers: readonly IncomingMessage['headers'][];
  /** Resolves when a call is cancelled. */
  readonly cancelled: Promise<void>;
  /** Ends every connection and answers no request until `start` is called again on the same port. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
}

export async function startHttpToolServer(first: readonly Listed[]): Promise<HttpToolServer> {
  let tools = first;
  const calls: { name: string; input: unknown }[] = [];
  const headers: IncomingMessage['headers'][] = [];
  let cancel = () => {};
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve;
  });
  let sessions = new Map<string, { readonly transport: StreamableHTTPServerTransport; readonly server: Server }>();

  const http = createServer(async (request, response) => {
    headers.push(request.headers);
    const session = sessions.get(String(request.headers['mcp-session-id']));
    if (session !== undefined) return session.transport.handleRequest(request, response);
    const server = toolServer({
      tools: () => tools,
      onCall: (name, input) => calls.push({ name, input }),
      onCancelled: () => cancel(),
    });
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, server });
      },
    });
    await server.connect(transport as Parameters<Server['connect']>[0]); // The same gap in its types as in the client.
    await transport.handleRequest(request, response);
  });
  let port = 0;
  const start = async (): Promise<void> => {
    port = await listen(http, port);
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    headers,
    cancelled,
    changeQuietly: (next) => {
      tools = next;
    },
    change: async (next) => {
      tools = next;
      await Promise.all([...sessions.values()].map(({ server }) => server.sendToolListChanged()));
    },
    stop: async () => {
      sessions = new Map();
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
    },
    start,
  };
}

/** As a program: the tools are in a file, and a change of it is told. */
async function runAsProgram(file: string): Promise<void> {
  const read = (): readonly Listed[] => JSON.parse(readFileSync(file, 'utf8'));
  const server = toolServer({ tools: read });
  await server.connect(new StdioServerTransport());
  watchFile(file, { interval: 50 }, () => void server.sendToolListChanged());
  process.stdin.on('end', () => process.exit(0));
  process.stderr.write('ready\n');
}

const [, program, file] = process.argv;
if (program === import.meta.filename && file !== undefined) await runAsProgram(file);
