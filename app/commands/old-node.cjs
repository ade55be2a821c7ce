/*
 * Every command loads this first (`node -r`). A Node that cannot run TypeScript says so in one line, because what it would
 * say of `main.ts` is a stack trace. So is what it would say of packages that are not installed.
 */
const { node } = process.versions;
if (!process.features.typescript) {
  end(`Countersign needs Node 22.18 or newer. This is Node ${node}, which cannot run TypeScript. Install a newer one.`);
}
try {
  // The demo needs those for development as well.
  require.resolve(process.argv[1]?.endsWith('demo.ts') ? 'yaml' : 'zod');
} catch {
  end('Countersign needs packages that are not installed. Run npm ci in the folder of the project, and try again.');
}

function end(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
