import { readFileSync } from 'node:fs';
import { manifestFor, readManifestWish, USAGE } from './manifest.ts';
import { beginCommand } from './options.ts';

/** `npm run manifest`: prints the manifest of the Slack app. */
beginCommand(USAGE);
const read = readManifestWish(process.argv.slice(2));
const lost = 'distributed' in read && read.http === undefined;
const wish = lost ? { problem: '--distributed needs --http, because the address is part of it.' } : read;
if ('problem' in wish) {
  process.stderr.write(`${wish.problem}\n`);
  process.exitCode = 2;
} else {
  const file = new URL('../../manifest.yml', import.meta.url);
  process.stdout.write(manifestFor(readFileSync(file, 'utf8'), wish));
}
