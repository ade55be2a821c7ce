import { systemClock } from '../clock.ts';
import { EnvironmentError, readEnvFile, readStoreAddress } from '../config/index.ts';
import { createLog, errorText } from '../log.ts';
import { createSecretBox } from '../secrets/index.ts';
import { openToRotate } from '../store/index.ts';
import { misread, rotateKeys, USAGE } from './keys.ts';
import { beginCommand } from './options.ts';

/** `npm run keys -- rotate`: encrypts the whole store with the newest key. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);

beginCommand(USAGE);
const problem = misread(process.argv.slice(2));
if (problem !== undefined) {
  say(problem);
  process.exitCode = 2;
} else {
  try {
    readEnvFile(process.env);
    const { redisUrl, dataDir, dataKeys } = readStoreAddress(process.env);
    if (dataKeys === undefined)
      throw new EnvironmentError(['DATA_KEY is missing. Write the new key, then the old ones.']);
    const box = createSecretBox(dataKeys);
    const log = createLog('warn', (line) => process.stderr.write(line));
    const rotation = await openToRotate({ redisUrl, dataDir, clock: systemClock, log, box });
    const write = (line: string): void => void process.stdout.write(`${line}\n`);
    await rotateKeys(rotation, { box, write }).finally(rotation.close);
    // The environment or the store cannot be used, or a text cannot be read. The operator reads why, without a stack.
  } catch (error) {
    const problems = error instanceof EnvironmentError ? error.problems : [errorText(error)];
    for (const one of problems) say(one);
    process.exitCode = 2;
  }
}
