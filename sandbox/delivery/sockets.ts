import { randomBytes, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type ApiJson, isObject, parseJson } from '../json.ts';
import { APP } from '../people.ts';
import type { Parcel, SendOptions, Sent, Transport } from './deliveries.ts';

/** Socket Mode: several sockets may be open, and each delivery goes to one of them in turn. */
export interface Sockets extends Transport {
  readonly count: () => number;
  /** An address that one socket may connect to. */
  readonly ticket: () => string;
  readonly accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Says why every socket is to go, as Slack does some times a day, and closes it. After a warning it stays for now. */
  readonly refresh: (reason?: 'warning' | 'refresh_requested' | 'too_many_websockets') => void;
  /** Breaks every socket without a word. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
}

const PING_EVERY_MS = 10_000;
const CLOSE_WITHIN_MS = 300;

export function createSockets(onChange: () => void): Sockets {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const open = createOpenSockets(onChange);
  const pings = setInterval(() => {
    for (const { socket } of open.all()) socket.ping();
  }, PING_EVERY_MS);
  pings.unref();

  return {
    count: () => open.all().length,
    isReady: () => open.all().length > 0,
    ready: open.ready,
    ticket: () => {
      const ticket = randomBytes(12).toString('hex');
      tickets.add(ticket);
      return ticket;
    },
    accept: (request, socket, head) => {
      const ticket = new URL(request.url ?? '/', 'http://localhost').searchParams.get('ticket') ?? '';
      if (!tickets.delete(ticket)) {
        socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, open.add);
    },
    send: (parcel, options) => {
      const connection = open.next();
      return connection === undefined ? Promise.resolve({ type: 'lost' }) : sendOn(connection, parcel, options);
    },
    refresh: (reason = 'refresh_requested') => {
      for (const { socket } of open.all()) {
        socket.send(JSON.stringify({ type: 'disconnect', reason }));
        if (reason !== 'warning') socket.close(1000);
      }
    },
    cut: () => {
      for (const { socket } of open.all()) socket.terminate();
    },
    close: async () => {
      clearInterval(pings);
      await Promise.all(open.all().map(({ socket }) => closed(socket)));
      server.close();
    },
  };
}

/** The sockets that the app holds open now. */
interface OpenSockets {
  readonly all: () => readonly Connection[];
  readonly add: (socket: WebSocket) => void;
  /** The sockets take turns. */
  readonly next: () => Connection | undefined;
  /** Resolves when at least one is open. */
  readonly ready: Transport['ready'];
}

function createOpenSockets(onChange: () => void): OpenSockets {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  let connections: readonly Connection[] = [];
  let turn = 0;
  // A socket that is about to close takes nothing more.
  const all = () => connections.filter(({ socket }) => socket.readyState === socket.OPEN);

  return {
    all,
    add: (socket) => {
      const connection = connect(socket, () => {
        connections = connections.filter((other) => other !== connection);
        onChange();
      });
      greet(socket, all().length + 1);
      connections = [...connections, connection];
      emitter.emit('connected');
      onChange();
    },
    next: () => {
      const open = all();
      turn += 1;
      return open[(turn - 1) % Math.max(open.length, 1)];
    },
    ready: async (signal) => {
      while (all().length === 0) await once(emitter, 'connected', { signal });
    },
  };
}

function connect(socket: WebSocket, onClosed: () => void): Connection {
  const connection: Connection = { socket, waiting: new Map() };
  socket.on('message', (data) => heard(connection, parseJson(String(data))));
  socket.on('error', () => {});
  socket.on('close', () => {
    for (const resolve of connection.waiting.values()) resolve({ type: 'lost' });
    onClosed();
  });
  return connection;
}

function greet(socket: WebSocket, connections: number): void {
  socket.send(
    JSON.stringify({
      type: 'hello',
      num_connections: connections,
      connection_info: { app_id: APP },
      debug_info: { host: 'sandbox', approximate_connection_time: 18_060 },
    }),
  );
}

function sendOn(
  { socket, waiting }: Connection,
  parcel: Parcel,
  { retry, reason, signal }: SendOptions,
): Promise<Sent> {
  const envelopeId = randomUUID();
  const answered = new Promise<Sent>((resolve) => waiting.set(envelopeId, resolve));
  signal.addEventListener('abort', () => waiting.delete(envelopeId), { once: true });
  socket.send(
    JSON.stringify({
      envelope_id: envelopeId,
      type: parcel.kind,
      accepts_response_payload: parcel.kind !== 'events_api',
      payload: parcel.payload,
      ...(parcel.kind === 'events_api' ? { retry_attempt: retry, retry_reason: retry === 0 ? '' : reason } : {}),
    }),
  );
  return answered;
}

/** Says goodbye and waits for the answer, but not for long. */
async function closed(socket: WebSocket): Promise<void> {
  const gone = once(socket, 'close');
  const timer = setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS);
  socket.close(1000);
  await gone;
  clearTimeout(timer);
}

interface Connection {
  readonly socket: WebSocket;
  /** By envelope: what was sent on this socket and not acknowledged yet. */
  readonly waiting: Map<string, (sent: Sent) => void>;
}

function heard(connection: Connection, message: ApiJson | undefined): void {
  if (!isObject(message) || typeof message.envelope_id !== 'string') return;
  connection.waiting.get(message.envelope_id)?.({ type: 'acknowledged', body: message.payload });
  connection.waiting.delete(message.envelope_id);
}
