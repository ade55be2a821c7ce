import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { errorText } from '../log.ts';

/**
 * Reads `.env` of the folder that the program is started in, if there is one. A variable that is set already keeps its
 * value, also an empty one.
 */
export function readEnvFile(env: Record<string, string | undefined>): void {
  try {
    // Editors of Windows begin a file with a byte order mark, which would become part of the first name.
    const written = parseEnv(readFileSync('.env', 'utf8').replace(/^\uFEFF/, ''));
    for (const [name, value = ''] of Object.entries(written)) env[name] ??= value;
    // A missing file is usual. Any other error would leave out settings, so it stops the start.
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    process.stderr.write(
      `.env cannot be read: ${errorText(error).replace(/\.$/, '')}. Correct it or its rights, or remove it.\n`,
    );
    process.exit(1);
  }
}
