/**
 * How long a test waits for what it wants to see: longer than anything takes on a busy computer. Tests that are to go red run
 * with less.
 */
export const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 180_000);

/** How long it waits for a bot to start. A test that is to go red goes red at what comes after. */
export const START_MS = 180_000;
