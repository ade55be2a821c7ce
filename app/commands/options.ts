/** What Node says of an option that it cannot read, without its advice about other arguments. `undefined` for any other error. */
export const unreadOption = (said: string): string | undefined =>
  /^(?:Unknown option|Option) '[^']*'[^.]*/.exec(said)?.[0].concat('.');

/** What is wrong, and how the command is used. For a word that the command does not know; for any other mistake a sentence is enough. */
export const withUsage = (problem: string, usage: string): string => `${problem}\n\n${usage.trimEnd()}`;

export const unknownCommand = (command: string | undefined, usage: string): string =>
  withUsage(command === undefined ? 'No command was given.' : `There is no command ${command}.`, usage);

/** Writes how a command is used when that is all that is asked for, and ends the process. */
export function beginCommand(usage: string): void {
  endWithReader();
  const [first, ...rest] = process.argv.slice(2);
  if (first !== 'help' && ![first, ...rest].some((word) => word === '--help' || word === '-h')) return;
  process.stdout.write(`${usage.trimEnd()}\n`);
  process.exit(0);
}

/** What a shell reports of a program that wrote to a closed pipe. */
const PIPE_CLOSED = 141;

/** `head` reads the first lines and goes away. The command ends without a word then, and not as if it had finished. */
function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(PIPE_CLOSED);
  });
}
