import { systemClock } from '../clock.ts';
import { readEnvFile, readStoreAddress } from '../config/index.ts';
import { createLog, errorText } from '../log.ts';
import { createPinsJournal } from '../recorder/index.ts';
import { createSecretBox, createSigner } from '../secrets/index.ts';
import { newEntryId, openStore } from '../store/index.ts';
import { createPins } from '../tools/mcp/index.ts';
import { beginCommand } from './options.ts';
import { readToolsWish, type ToolsWish, toolsCommand, USAGE } from './tools.ts';

/** `npm run tools -- list` and `npm run tools -- allow <name>`, with or without a running bot. */
beginCommand(USAGE);
const wish = readToolsWish(process.argv.slice(2));
if (typeof wish === 'string') {
  process.stderr.write(`${wish}\n`);
  process.exitCode = 2;
} else {
  try {
    readEnvFile(process.env);
    process.exitCode = await inStore(wish);
    // The environment or the store cannot be used. The operator reads the message, without a stack.
  } catch (error) {
    process.stderr.write(`${errorText(error)}\n`);
    process.exitCode = 1;
  }
}

async function inStore(wish: ToolsWish): Promise<number> {
  const { redisUrl, dataDir, dataKeys } = readStoreAddress(process.env);
  const log = createLog('warn', (line) => process.stderr.write(line));
  const box = dataKeys === undefined ? undefined : createSecretBox(dataKeys);
  const open = (how: { readonly readOnly: true } | { readonly beside: true }) =>
    openStore({ dataDir, redisUrl, clock: systemClock, log, box, ...how });
  let store = await open({ readOnly: true });
  if (wish.action === 'allow') {
    // A wrong address must not make a new store. Opened to be read, it was refused where nothing is stored.
    await store.close();
    store = await open({ beside: true });
  }
  const journal = createPinsJournal({ store, entryId: newEntryId, sign: dataKeys && createSigner(dataKeys).sign });
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  return toolsCommand(wish, { pins: createPins(journal), write, say }).finally(() => store.close());
}
