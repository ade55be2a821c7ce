import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { systemClock } from '../clock.ts';
import { loadConfigFile, readEnvFile } from '../config/index.ts';
import type { ThreadReach } from '../tools/index.ts';
import { policyCommand } from './policy.ts';

/** `npm run policy -- explain <tool> <input.json>` and `npm run policy -- check`. No part of the bot is started. */
try {
  readEnvFile();
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { channel: { type: 'string' }, requester: { type: 'string' } },
  });
  const config = await loadConfigFile(process.env.COUNTERSIGN_CONFIG, {
    cwd: process.cwd(),
    now: systemClock.now,
    reach: nowhere(),
  });
  process.exitCode = await policyCommand(positionals, {
    ...values,
    config,
    env: process.env,
    read: (file) => readFileSync(file === '-' ? 0 : file, 'utf8'),
    write: (line) => process.stdout.write(`${line}\n`),
  });
  // The arguments or the configuration cannot be used. The operator reads the message, without a stack.
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** The policy also covers the tools that use Slack. This command never calls one. */
function nowhere(): ThreadReach {
  const refuse = () => Promise.reject(new Error('Tools are explained here, and never called.'));
  return { readThread: refuse, readChannel: refuse, findPerson: refuse, post: refuse, upload: refuse };
}
