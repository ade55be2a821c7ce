import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { readEnvFile } from '../config/index.ts';
import { openPins, PINS_FILE } from '../tools/mcp/index.ts';
import { toolsCommand } from './tools.ts';

/** `npm run tools -- list` and `npm run tools -- allow <name>`, with or without a running bot. */
try {
  readEnvFile();
  const pins = openPins({ file: join(process.env.DATA_DIR ?? '.data', PINS_FILE), now: systemClock.now });
  process.exitCode = toolsCommand(process.argv.slice(2), {
    pins,
    write: (line) => process.stdout.write(`${line}\n`),
  });
  // The file of pins cannot be used. The operator reads the message, without a stack.
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
