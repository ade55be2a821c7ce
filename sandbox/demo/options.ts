/** What the person who starts the demo asks for. */
export interface DemoOptions {
  /** The program to start in place of the bot. */
  readonly bot: string | undefined;
  /** Forgets what the folder has. */
  readonly isFresh: boolean;
  /** The folder for the data, without which it is `.demo` in the project. */
  readonly folder: string | undefined;
  readonly port: number | undefined;
}

export function readOptions(given: readonly string[], env: NodeJS.ProcessEnv): DemoOptions {
  return {
    bot: given.find((word) => !word.startsWith('--')),
    isFresh: given.includes('--fresh'),
    folder: env.DEMO_DATA_DIR || undefined,
    port: env.PORT === undefined || env.PORT === '' ? undefined : Number(env.PORT),
  };
}
