import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { systemClock } from '../clock.ts';
import { EnvironmentError, loadConfigFile, readEnvFile } from '../config/index.ts';
import { given } from '../given.ts';
import { createLog, errorText } from '../log.ts';
import type { ThreadReach } from '../tools/index.ts';
import { beginCommand, unreadOption, withUsage } from './options.ts';
import { policyCommand, USAGE } from './policy.ts';

/** `npm run policy -- explain <tool> <input.json>` and `npm run policy -- check`. Only `--live` asks Slack who people are. */
beginCommand(USAGE);
try {
  readEnvFile(process.env);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { channel: { type: 'string' }, requester: { type: 'string' }, live: { type: 'boolean' } },
  });
  const log = createLog('error', (line) => process.stderr.write(line));
  const config = await loadConfigFile(process.env.COUNTERSIGN_CONFIG?.trim(), {
    cwd: process.cwd(),
    now: systemClock.now,
    reach: nowhere(),
  });
  const askSlack = async () => {
    // Without `--live` the client of Slack is not loaded.
    const { openLive } = await import('./live.ts');
    return openLive({ env: process.env, listed: config.workspaces, log });
  };
  process.exitCode = await policyCommand(positionals, {
    channel: values.channel,
    requester: values.requester,
    ...given({ live: values.live === true ? askSlack : undefined }),
    config,
    env: process.env,
    read: (file) => readFileSync(file === '-' ? 0 : file, 'utf8'),
    write: (line) => process.stdout.write(`${line}\n`),
    say: (line) => process.stderr.write(`${line}\n`),
  });
  // The arguments or the configuration cannot be used. The operator reads the message, without a stack.
} catch (error) {
  const said = errorText(error instanceof EnvironmentError ? error.problems.join('\n') : error);
  const unread = unreadOption(said);
  process.stderr.write(`${unread === undefined ? said : withUsage(unread, USAGE)}\n`);
  process.exitCode = unread === undefined ? 1 : 2;
}

/** The policy also covers the tools that use Slack. This command never calls one. */
function nowhere(): ThreadReach {
  const refuse = () => Promise.reject(new Error('Tools are explained here, and never called.'));
  return { readThread: refuse, readChannel: refuse, findPerson: refuse, post: refuse, upload: refuse };
}
