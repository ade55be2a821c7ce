import { describe, expect, it } from 'vitest';
import type { WorkspaceBody } from '../../../../app/journal/facts/workspace.ts';
import { NO_HEAD, writeLines } from '../../../../app/journal/line/line.ts';
import { removalsIn } from '../../../../app/keeping/audit/retired/removals.ts';
import { threadKey } from '../../../../app/records/index.ts';
import { HOUR_MS, runId, THREAD } from '../../../support/journal.ts';

const DAY_MS = 24 * HOUR_MS;
const RUN = runId(1);
const ARCHIVE = { file: `${RUN}.jsonl`, sha256: 'x' };

type Said = readonly [atMs: number, body: WorkspaceBody];

const configured = (retention: string | undefined): WorkspaceBody => ({
  type: 'configured',
  configuration: 'c',
  tools: [],
  rules: [],
  settings: retention === undefined ? {} : { retention },
});
const keepsFor = (afterMs: number, folder = 'archive') => configured(JSON.stringify({ afterMs, folder }));
const sealed: WorkspaceBody = { type: 'run-sealed', run: RUN, thread: threadKey(THREAD), version: 3, head: 'h' };
const unarchived: WorkspaceBody = { type: 'run-retired', run: RUN, version: 4, head: 'h' };
const retired = (version = 4): WorkspaceBody => ({ ...unarchived, version, archive: ARCHIVE });

const removals = (...said: readonly Said[]) =>
  removalsIn(
    writeLines(
      said.map(([atMs, body], position) => ({ ...body, atMs, id: `id-${position}` })),
      NO_HEAD,
    ).lines.map(({ text }) => text),
  );
const faults = (...said: readonly Said[]) => removals(...said).map(({ fault }) => fault);

describe('removalsIn', () => {
  it.each<[string, readonly Said[]]>([
    [
      'when it was due',
      [
        [0, keepsFor(3 * DAY_MS)],
        [1, sealed],
        [3 * DAY_MS + 1, retired()],
      ],
    ],
    [
      'when the entries were written within a minute of that',
      [
        [0, keepsFor(3 * DAY_MS)],
        [1, sealed],
        [3 * DAY_MS - 59_000, retired()],
      ],
    ],
    [
      'when retention was changed behind its end',
      [
        [0, keepsFor(3 * DAY_MS)],
        [1, sealed],
        [2, keepsFor(9 * DAY_MS)],
        [4 * DAY_MS, retired()],
      ],
    ],
    [
      'when a replica with the configuration of an hour ago ended it',
      [
        [0, keepsFor(3 * DAY_MS)],
        [HOUR_MS, keepsFor(9 * DAY_MS)],
        [2 * HOUR_MS, sealed],
        [4 * DAY_MS, retired()],
      ],
    ],
    [
      'when the version of its end did not record retention',
      [
        [0, configured(undefined)],
        [1, sealed],
        [2, retired()],
      ],
    ],
    [
      'when the version of its removal archived nothing',
      [
        [1, sealed],
        [2 * DAY_MS, unarchived],
      ],
    ],
  ])('takes a removal for one of retention %s (EDGE-2)', (_when, said) => {
    expect(faults(...said)).toEqual([undefined]);
  });

  it.each<[string, RegExp, readonly Said[]]>([
    [
      'when it came too early',
      /removed 1\.0 hours after it ended, .* keeps a run for 72\.0 hours/,
      [
        [0, keepsFor(3 * DAY_MS)],
        [0, sealed],
        [HOUR_MS, retired()],
      ],
    ],
    [
      'when it was more than a minute too early',
      /72\.0 hours/,
      [
        [0, keepsFor(3 * DAY_MS)],
        [0, sealed],
        [3 * DAY_MS - 61_000, retired()],
      ],
    ],
    [
      'when there was no retention',
      /the configuration on record had none/,
      [
        [0, configured('null')],
        [1, sealed],
        [9 * DAY_MS, retired()],
      ],
    ],
    [
      'when the run had not ended',
      /had not ended/,
      [
        [0, keepsFor(3 * DAY_MS)],
        [9 * DAY_MS, retired()],
      ],
    ],
    [
      'when it names no archive, although archives are written by now',
      /without an archive/,
      [
        [0, keepsFor(3 * DAY_MS)],
        [1, sealed],
        [9 * DAY_MS, unarchived],
      ],
    ],
    [
      'when a configuration of long ago kept runs for less',
      /72\.0 hours/,
      [
        [0, keepsFor(2 * DAY_MS)],
        [DAY_MS, keepsFor(3 * DAY_MS)],
        [9 * DAY_MS, sealed],
        [11.5 * DAY_MS, retired()],
      ],
    ],
  ])('finds a removal %s (EDGE-2)', (_when, says, said) => {
    expect(faults(...said)).toEqual([expect.stringMatching(says)]);
  });
});

it('a run that was recorded as removed twice is looked for as it was at last, in the newest folder first (EDGE-2)', () => {
  const said: readonly Said[] = [
    [0, keepsFor(2 * DAY_MS, 'old')],
    [1, sealed],
    [2 * DAY_MS + 1, keepsFor(2 * DAY_MS, 'new')],
    [2 * DAY_MS + 2, retired(5)],
    [2 * DAY_MS + 3, retired(4)],
  ];

  expect(removals(...said)).toMatchObject([{ last: { version: 5 }, folders: ['new', 'old'], fault: undefined }]);
});
