/*
 * Every command loads this first (`node -r`). A Node that cannot run TypeScript says so in one line, because what it would
 * say of `main.ts` is a stack trace.
 */
if (!process.features.typescript) {
  const { node } = process.versions;
  process.stderr.write(
    `Countersign needs Node 22.18 or newer. This is Node ${node}, which cannot run TypeScript. Install a newer one.\n`,
  );
  process.exit(1);
}
