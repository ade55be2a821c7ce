/** What Node says of an option that it cannot read, without its advice about other arguments. `undefined` for any other error. */
export const unreadOption = (said: string): string | undefined =>
  /^(?:Unknown option|Option) '[^']*'[^.]*/.exec(said)?.[0].concat('.');

/** Writes how a command is used when that is all that is asked for, and ends the process. */
export function helpIfAsked(usage: string): void {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return;
  process.stdout.write(`${usage.trimEnd()}\n`);
  process.exit(0);
}
