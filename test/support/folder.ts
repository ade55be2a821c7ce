import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A temporary folder, which goes when the test that made it, or whose hook made it, has ended. */
export function folderOfTest(what: string): string {
  const folder = mkdtempSync(join(tmpdir(), `countersign-${what}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
