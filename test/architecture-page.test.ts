import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { product } from './support/house.ts';

/** ARCHITECTURE.md leads a reader through the sources by paths and by the functions to look for there. */

const PAGE = readFileSync('ARCHITECTURE.md', 'utf8');
const FILES_OF_A_PRESS = 12;

/** One file at which the way stops, and the function in it that the way goes through. */
interface Stop {
  readonly file: string;
  readonly through: string;
}

const STOP = /^\d+\. `([\w./-]+\.ts)`, `(\w+)`:/gm;

function stopsIn(section: string): readonly Stop[] {
  return [...section.matchAll(STOP)].map(([, file = '', through = '']) => ({ file, through }));
}

function wayOfAPress(page: string): string {
  const [, rest = ''] = page.split('**A press**');
  const [way = ''] = rest.split('\n\n**');
  return way;
}

/** What a reader would look for in vain, each with the mend. */
function strayStops(stops: readonly Stop[]): readonly string[] {
  return stops.flatMap(({ file, through }) => {
    if (!existsSync(file))
      return [`${file}: ARCHITECTURE.md sends its reader there and there is no such file. Name the new one.`];
    const declared = new RegExp(`^(export )?(async )?(function|const) ${through}\\b`, 'm').test(
      readFileSync(file, 'utf8'),
    );
    return declared
      ? []
      : [`${file}: ARCHITECTURE.md says that it declares ${through}, and it does not. Name what it has now.`];
  });
}

/** Paths in backticks that are said in full. */
const PATH = /`((?:app|handlers|interventions|sandbox|test|bench|example)\/[\w./-]*)`/g;

describe('ARCHITECTURE.md', () => {
  it('names a path from the button to the tool in twelve files or fewer, through existing functions', () => {
    const way = wayOfAPress(PAGE);
    const stops = stopsIn(way);

    expect(stops.length, 'a step that is not written as “1. `file`, `name`: what happens there”').toBe(
      way.match(/^\d+\. /gm)?.length,
    );
    expect(strayStops(stops)).toEqual([]);
    expect(stops.at(0)?.file).toBe('handlers/door/register.ts');
    expect(stops.map(({ file }) => file)).toContain('app/runs/gate/tool-runner.ts');
    expect(new Set(stops.map(({ file }) => file)).size).toBeLessThanOrEqual(FILES_OF_A_PRESS);

    const moved = '**A press**\n\n1. `app/hall.ts`, `sit`: sits.\n2. `app/step.ts`, `dance`: dances.\n\n**A message**';
    expect(strayStops(stopsIn(wayOfAPress(moved)))).toEqual([
      expect.stringMatching(/^app\/hall\.ts: .* no such file/),
      expect.stringMatching(/^app\/step\.ts: .* declares dance/),
    ]);
  });

  it('names the path of a message to the last reply and of a trust to the call it covers, through existing functions', () => {
    const ways = PAGE.split('**A message**')[1]?.split('\n## ')[0] ?? '';
    const stops = stopsIn(ways);

    expect(stops.length, 'a step that is not written as “1. `file`, `name`: what happens there”').toBe(
      ways.match(/^\d+\. /gm)?.length,
    );
    expect(strayStops(stops)).toEqual([]);
    expect(stops.map(({ file }) => file)).toEqual(
      expect.arrayContaining(['app/runs/telling/posts.ts', 'app/runs/gate/may-start.ts']),
    );
  });
});

describe.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'test/README.md'])('%s', (page) => {
  it('names no path that does not exist', () => {
    const paths = [...readFileSync(page, 'utf8').matchAll(PATH)].map(([, path = '']) => path);

    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('a file that ARCHITECTURE.md names without its folder', () => {
  it('exists in the sources, so that a reader finds it beside the file named before', () => {
    const names = [...PAGE.matchAll(/`([\w-]+\.ts)`/g)].map(([, name = '']) => name);
    const known = new Set(product().map(({ path }) => basename(path)));

    expect(names.length).toBeGreaterThan(5);
    expect(
      names.filter((name) => !known.has(name)),
      'ARCHITECTURE.md sends its reader to files that do not exist. Name the files that do this now.',
    ).toEqual([]);
  });
});
