import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Verified } from '../../page/journal/journal.ts';
import { ROOT } from '../paths.ts';
import { type Program, startProgram } from '../program.ts';

/** The command `audit` beside the bot, as a process of its own: the demo learns of journals in no other way. */
export interface Audit {
  /** Hands over the lines of `tail`, those of the past first, until `stop`. Starts it again when it ended, from the beginning. */
  readonly follow: (onLines: (lines: readonly string[]) => void) => { readonly stop: () => Promise<void> };
  readonly verify: (...words: readonly string[]) => Promise<Verified>;
}

export interface AuditOptions {
  /** Where the command reads its `.env`, as the bot does. */
  readonly folder: string;
  /** Names the store, and its key. */
  readonly variables: NodeJS.ProcessEnv;
}

const COMMAND = join(ROOT, 'app', 'commands', 'audit-main.ts');
const PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const STOP_WITHIN_MS = 2000;

export function auditIn({ folder, variables }: AuditOptions): Audit {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const environment = { PATH, NODE_COMPILE_CACHE, ...variables };
  const start = (words: readonly string[], onOutput: (text: string, from: 'out' | 'err') => void): Program =>
    startProgram({ file: COMMAND, words, folder, environment, onOutput });

  return {
    follow: (onLines) => {
      let program: Program | undefined;
      let isStopping = false;
      void (async () => {
        for (let pauseMs = PAUSE_MS; !isStopping; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
          let rest = '';
          program = start(['tail', '--json', '--since', '1970-01-01'], (text, from) => {
            if (from === 'err') return;
            const lines = `${rest}${text}`.split('\n');
            rest = lines.pop() ?? '';
            pauseMs = PAUSE_MS;
            onLines(lines);
          });
          await program.ended;
          await sleep(pauseMs, undefined, { ref: false });
        }
      })();
      return {
        stop: async () => {
          isStopping = true;
          await program?.stop(STOP_WITHIN_MS);
        },
      };
    },
    verify: async (...words) => {
      const said = { out: '', err: '' };
      const how = await start(['verify', ...words], (text, from) => {
        said[from] += text;
      }).ended;
      const outcome = how === 'exit code 0' ? 'whole' : how === 'exit code 1' ? 'broken' : 'failed';
      return { outcome, findings: linesIn(said.out), notes: linesIn(said.err) };
    },
  };
}

const linesIn = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');
