/**
 * Reads `.env` of the folder that the program is started in, where there is one. What the environment has already, it
 * keeps, also where that is empty.
 */
export function readEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    process.stderr.write(`.env cannot be read: ${String(error)}. Correct its rights, or remove it.\n`);
    process.exit(1);
  }
}
