/**
 * Loaded into a bot before its own code: tells on the error stream how long its thread worked without turning to anything
 * else. The time is that of the thread alone, so that a busy computer does not count.
 */
const TOLD_FROM_MS = 15;

let before = process.threadCpuUsage();
function look(): void {
  const { user, system } = process.threadCpuUsage(before);
  const ms = (user + system) / 1_000;
  if (ms >= TOLD_FROM_MS) process.stderr.write(`stayed for ${ms.toFixed(1)} ms\n`);
  before = process.threadCpuUsage();
  setTimeout(look, 1).unref();
}
look();
