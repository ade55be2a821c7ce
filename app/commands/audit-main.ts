import { systemClock } from '../clock.ts';
import { EnvironmentError, readEnvFile, readStoreAddress } from '../config/index.ts';
import { createLog, errorText } from '../log.ts';
import { createSecretBox, createSigner } from '../secrets/index.ts';
import { openStore } from '../store/index.ts';
import { pause } from '../time/index.ts';
import { exportArchive, readWish, runAudit, type StoreWish, USAGE } from './audit.ts';
import { beginCommand } from './options.ts';

/** `npm run audit`: shows what is on record, and whether it is unchanged. Ends with 1 when it is not. */
const POLL_MS = 500;

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

beginCommand(USAGE);
const wish = readWish(process.argv.slice(2));
if (typeof wish === 'string') {
  say(wish);
  process.exitCode = 2;
} else {
  try {
    readEnvFile(process.env);
    const well = 'archive' in wish ? await exportArchive(wish, write).then(() => true) : await inStore(wish);
    process.exitCode = well ? 0 : 1;
    // The environment or the store cannot be used. The operator reads the message, without a stack.
  } catch (error) {
    const problems = error instanceof EnvironmentError ? error.problems : [errorText(error)];
    for (const problem of problems) say(problem);
    process.exitCode = 2;
  }
}

/** Returns whether all was well. */
async function inStore(wish: StoreWish): Promise<boolean> {
  const { redisUrl, dataDir, dataKeys } = readStoreAddress(process.env);
  const store = await openStore({
    dataDir,
    clock: systemClock,
    log: createLog('warn', (line) => process.stderr.write(line)),
    readOnly: true,
    redisUrl,
    box: dataKeys === undefined ? undefined : createSecretBox(dataKeys),
  });
  return runAudit(wish, {
    store: store.patient,
    write,
    say,
    check: dataKeys && createSigner(dataKeys).check,
    again: () => pause(POLL_MS).then(() => true),
  }).finally(() => store.close());
}
