import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { atEnd } from '../at-end.ts';
import { installedVersion } from './install.ts';

/** One SDK that does the same turn, in a process of its own. */
export interface Peer {
  /** With its version. */
  readonly name: string;
  /** Where it keeps a run that waits for a person. */
  readonly saver: string;
  /** The microseconds of one turn after so many messages, with so many approved calls. */
  readonly turn: (messages: number, calls: number) => Promise<number>;
  readonly close: () => void;
}

export interface PeerName {
  /** Of its file in `bench/peers/`. */
  readonly file: string;
  readonly label: string;
  readonly package: string;
}

export const PEERS: readonly PeerName[] = [
  { file: 'ai', label: 'AI SDK', package: 'ai' },
  { file: 'strands', label: 'Strands Agents', package: '@strands-agents/sdk' },
  { file: 'openai', label: 'OpenAI Agents', package: '@openai/agents' },
  { file: 'langchain', label: 'LangChain', package: 'langchain' },
  { file: 'mastra', label: 'Mastra', package: '@mastra/core' },
];

const Ready = z.object({ saver: z.string() });
const Measured = z.object({ micros: z.number() });
const Failed = z.object({ why: z.string() });

/** Starts it and tries each kind of turn once. Rejects with the reason if it cannot do one of them. */
export async function startPeer(
  folder: string,
  name: PeerName,
  trials: readonly (readonly [number, number])[],
): Promise<Peer> {
  const version = installedVersion(folder, name.package);
  if (version === undefined) throw new Error(`${name.package} is not installed.`);
  const child = fork(join(folder, 'serve.mjs'), [name.file], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const close = (): void => void child.kill('SIGKILL');
  atEnd(close);
  const { saver } = Ready.parse(await nextMessage(child));
  const turn: Peer['turn'] = async (messages, calls) => {
    const answer = nextMessage(child);
    child.send({ messages, calls });
    return Measured.parse(await answer).micros;
  };
  for (const [messages, calls] of trials) await turn(messages, calls);
  return { name: `${name.label} ${version}`, saver, turn, close };
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`its process ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      const failed = Failed.safeParse(message);
      if (failed.success) reject(new Error(failed.data.why));
      else resolve(message);
    });
  });
}
