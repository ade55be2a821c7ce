import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Rules that other products broke, by number: each stands in the title of a test that proves it here. */
const PROVED = [
  'P1',
  'P2',
  'P3',
  'P4',
  'P5',
  'P6',
  'P7',
  'P8',
  'P8b',
  'P8c',
  'P9',
  'P10',
  'P11',
  'P12',
  'P13',
  'P14',
  'P15',
  'P16',
  'P17',
  'P18',
  'P19',
  'P19b',
  'P19c',
].concat(
  [
    'P20',
    'P21',
    'P22',
    'P23',
    'P24',
    'P25',
    'P26',
    'P27',
    'P27b',
    'P28',
    'P29',
    'P31',
    'P32',
    'P36',
    'P37',
    'P38',
    'P39',
    'P40',
    'P42',
    'P43',
    'P44',
    'P45',
  ],
  ['P51', 'P52', 'P53', 'P54', 'P55', 'P56', 'P57', 'P60', 'P61', 'P62', 'P35', 'P41', 'P65'],
  ['P7b', 'P10', 'P19d', 'P33', 'P34', 'P50', 'P61b', 'P63'],
  // What a person at the card would notice: one line each.
  Array.from({ length: 20 }, (_, line) => `B${line + 1}`),
);

/** What stands in quotes and ends with ids in brackets. */
const titles = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && name !== 'properties.test.ts')
  .flatMap((name) => readFileSync(join('test', name), 'utf8').match(/\([A-Z][^()'"`\n]*\)['"`]/g) ?? []);

it.each(PROVED)('%s is in the title of a test', (id) => {
  expect(titles.filter((title) => new RegExp(`\\b${id}\\b`).test(title))).not.toEqual([]);
});

/**
 * What must always hold (D), and each fault it must hold under: a process that is killed (FK) or paused (FP), trouble with
 * Redis (FR), Slack (FS) and the model (FM), clocks (FT), and several replicas (FN).
 */
const MATRIX = Object.entries({ D: 15, FK: 25, FP: 5, FR: 16, FS: 10, FM: 4, FT: 3, FN: 6 }).flatMap(([kind, rows]) =>
  Array.from({ length: rows }, (_, row) => `${kind}${row + 1}`),
);

/** The ids that a string of a test ends with, or that a row of a table holds. */
const proven = new Set(
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'properties.test.ts')
    .flatMap((name) => [
      ...readFileSync(join('test', name), 'utf8').matchAll(/[('"`]((?:[A-Z]{1,3}\d+[a-z]?(?:, )?)+)\)?['"`]/g),
    ])
    .flatMap(([, ids = '']) => ids.split(', ')),
);

it('has a test for each promise and each row of the fault matrix', () => {
  expect(MATRIX.filter((id) => !proven.has(id))).toEqual([]);
});
