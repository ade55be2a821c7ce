import type { Json } from '../../../interventions/index.ts';
import { errorText, type Log, shortened } from '../../log.ts';
import type { RunId } from '../../records/index.ts';
import type { Redaction } from '../../secrets/index.ts';
import type { PartFailed, Tool } from '../../tools/index.ts';

/** The lines that calls of tools leave in the log of the process. */
export interface ToolLog {
  /** A line that the tool itself logs while it runs. */
  readonly said: (about: LoggedCall, text: string) => void;
  /** Returns what to call with each part of the tool that fails in this call. */
  readonly failed: (about: LoggedCall) => (part: 'run' | Parameters<PartFailed>[0], cause: unknown) => void;
}

export interface LoggedCall {
  readonly call: string;
  readonly tool: Pick<Tool, 'name' | 'inputSchema'>;
  readonly input: Json;
}

export interface ToolLogDeps {
  readonly log: Log;
  readonly redaction: Redaction;
}

export function createToolLog({ log, redaction }: ToolLogDeps, run: RunId): ToolLog {
  const summaries = new Set<string>();
  const write = (level: 'info' | 'warn', message: string, { call, tool, input }: LoggedCall, fields: Fields): void => {
    const { hidden } = redaction.input(tool, input);
    const safe = Object.entries(fields).map(([name, text]) => [name, redaction.text(shortened(text), hidden)]);
    log[level](message, { run, call, tool: tool.name, ...Object.fromEntries(safe) });
  };
  return {
    said: (about, text) => write('info', 'A tool logs a line.', about, { said: String(text) }),
    failed: (about) => (part, cause) => {
      if (part === 'summarise') {
        // The thread draws the summary many times, and it fails the same way each time.
        if (summaries.has(about.call)) return;
        summaries.add(about.call);
      }
      write('warn', 'A tool failed.', about, { part, cause: textOf(cause) });
    },
  };
}

type Fields = Readonly<Record<string, string>>;

function textOf(cause: unknown): string {
  return cause instanceof Error && typeof cause.stack === 'string' ? cause.stack : errorText(cause);
}
