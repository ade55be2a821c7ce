/**
 * How long a test waits for what it wants to see: longer than anything takes on a busy computer. Tests that are to go red run
 * with less.
 */
export const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 180_000);
