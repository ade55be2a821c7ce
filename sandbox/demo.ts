import { join, resolve } from 'node:path';
import { openFolder } from './demo/folder.ts';
import { readOptions, USAGE } from './demo/options.ts';
import { ROOT } from './demo/paths.ts';

/**
 * `npm run demo`: the sandbox, and the real bot against it. It prints at once where it keeps its data, then the address of the
 * page when a person may begin. It prints more only if something goes wrong or `LOG_LEVEL` asks for the log of the bot; with a
 * configuration of the visitor, it prints what the bot warns about.
 */
if (process.argv.includes('--help')) {
  process.stdout.write(`The demo starts a simulated Slack and the real bot. ${USAGE}\n`);
  process.exit(0);
}
const options = readOptions(process.argv.slice(2), process.env);
if (typeof options === 'string') {
  process.stderr.write(`${options}\n`);
  process.exit(1);
}
const folder = await openFolder(resolve(options.folder ?? join(ROOT, '.demo')), options);
if (typeof folder === 'string') {
  process.stderr.write(`${folder}\n`);
  process.exit(1);
}
const elsewhere = options.folder === undefined ? '' : `DEMO_DATA_DIR=${folder.path} `;
process.stdout.write(
  `Countersign keeps this demo in ${folder.path}. To forget it: ${elsewhere}npm run demo -- --fresh\n`,
);

// Drawing the page needs many modules, so they are read after the first line.
const { runDemo } = await import('./demo/run.ts');
await runDemo(options, folder);
