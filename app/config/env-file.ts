import { errorText } from '../log.ts';
/**
 * Reads `.env` of the folder that the program is started in, if there is one. A variable that is set already keeps its
 * value, also an empty one.
 */
export function readEnvFile(): void {
  try {
    process.loadEnvFile();
    // A missing file is usual. Any other error would leave out settings, so it stops the start.
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    process.stderr.write(
      `.env cannot be read: ${errorText(error).replace(/\.$/, '')}. Correct it or its rights, or remove it.\n`,
    );
    process.exit(1);
  }
}
