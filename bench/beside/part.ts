import { hasMemoryFolder } from '../folders.ts';
import type { Figure } from '../measure.ts';
import { type Medians, type OpenPart, type Part, type Subject, subject } from '../rounds.ts';
import { installPeers } from './install.ts';
import { PEERS, type Peer, type PeerName, startPeer } from './peer.ts';

const SHORT = 10;
const LONG = 1_000;
const CALLS = 6;
const FURTHER = CALLS - 1;
const TURNS = [SHORT, LONG].flatMap((messages) => [1, CALLS].map((calls) => [messages, calls] as const));

export const peersPart: Part = {
  title:
    'Peers: the same approved turn. What they keep is kept in memory; what the bot keeps above is in a file or in Redis',
  open: openPeers,
};

async function openPeers(): Promise<OpenPart> {
  const folder = installPeers();
  const peers: Peer[] = [];
  const notes: string[] = [];
  for (const name of PEERS) {
    const peer = await startPeer(folder, name, TURNS).catch((error: unknown) => leftOut(name, error, folder));
    if (typeof peer === 'string') notes.push(peer);
    else peers.push(peer);
  }
  return {
    subjects: peers.flatMap(peerSubjects),
    figures: (of) => [...peers.flatMap((peer) => peerFigures(peer, of)), ...besideThem(peers, of)],
    notes: [...peers.map(({ name, saver }) => `${name} keeps a run with ${saver}.`), ...notes],
    close: async () => {
      for (const { close } of peers) close();
    },
  };
}

/** One line without the folder of this machine: it may come onto the page of figures. */
function leftOut({ label }: PeerName, error: unknown, folder: string): string {
  const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return `${label} is left out: ${why.replaceAll(folder, 'bench/peers')}`;
}

const nameOf = ({ name }: Peer, messages: number, calls: number): string => `${name}: ${calls} after ${messages}`;

function peerSubjects(peer: Peer): readonly Subject[] {
  return TURNS.map(([messages, calls]) => {
    const measured = subject(nameOf(peer, messages, calls), () => peer.turn(messages, calls));
    return messages === LONG ? { ...measured, long: true } : measured;
  });
}

function peerFigures(peer: Peer, of: Medians): readonly Figure[] {
  const turn = (messages: number) => of(nameOf(peer, messages, 1));
  const call = (messages: number) => (of(nameOf(peer, messages, CALLS)) - turn(messages)) / FURTHER;
  return [
    { what: `${peer.name}: an approved turn after 10 messages`, value: turn(SHORT), unit: 'µs' },
    { what: `${peer.name}: an approved turn after 1,000`, value: turn(LONG), unit: 'µs' },
    { what: `${peer.name}: each further call in the run, after 10 messages`, value: call(SHORT), unit: 'µs' },
    { what: `${peer.name}: each further call after 1,000`, value: call(LONG), unit: 'µs' },
  ];
}

/** The bot is to be ahead of every peer after 1,000 messages. */
function besideThem(peers: readonly Peer[], of: Medians): readonly Figure[] {
  if (peers.length === 0 || !hasMemoryFolder()) return [];
  const fastest = Math.min(...peers.map((peer) => of(nameOf(peer, LONG, 1))));
  return [
    {
      what: 'SQLite on tmpfs: an approved turn after 1,000 messages, once more, beside the fastest of them',
      value: of('SQLite on tmpfs: turn after 1,000'),
      unit: 'µs',
      target: fastest,
    },
  ];
}
