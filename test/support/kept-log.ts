import type { Log } from '../../app/log.ts';

export interface KeptLog {
  readonly log: Log;
  /** Each line as its level, its message and the message of its error. */
  readonly lines: readonly string[];
}

/** A log that a test reads. */
export function keptLog(): KeptLog {
  const lines: string[] = [];
  const at =
    (level: string) =>
    (message: string, { error }: Readonly<Record<string, unknown>> = {}) => {
      lines.push(`${level}: ${message}${error instanceof Error ? ` ${error.message}` : ''}`);
    };
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, lines };
}
