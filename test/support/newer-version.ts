import { type Patch, type Patched, patchedSources } from './patched.ts';

/** What a later version of the sources may write. It reads everything of this one. */

/** A format that only it reads. */
const NEXT_FORMAT: Patch = {
  file: 'app/journal/line/line.ts',
  find: 'export const FORMAT = 1;',
  put: 'export const FORMAT = 2;',
};

const WRITES = ' body });';

/** The same format with a field that this version has never heard of, in every entry there is. */
const MORE_FIELDS: Patch = {
  file: 'app/journal/line/line.ts',
  find: WRITES,
  put: " body: { ...body, mood: 'hopeful' } });",
};

/** The same format with a kind of entry that this version has never heard of. */
const NEW_KIND: readonly Patch[] = [
  {
    file: 'app/journal/line/line.ts',
    find: WRITES,
    put: `${WRITES.replace(';', '')}.replace('"type":"turn-answered"', '"type":"turn-dreamt"');`,
  },
  {
    file: 'app/journal/line/line.ts',
    find: '  const line: unknown = JSON.parse(text);',
    put: `  const line: unknown = JSON.parse(text.replace('"type":"turn-dreamt"', '"type":"turn-answered"'));`,
  },
];

export const OF_NEWER_VERSIONS: readonly Patch[] = [NEXT_FORMAT, MORE_FIELDS, ...NEW_KIND];

export const newerVersion = (...more: readonly Patch[]): Patched => patchedSources([NEXT_FORMAT, ...more]);
export const versionWithMoreFields = (): Patched => patchedSources([MORE_FIELDS]);
export const versionWithNewKind = (): Patched => patchedSources(NEW_KIND);
