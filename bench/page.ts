import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, type as system } from 'node:os';
import { dirname } from 'node:path';
import { type Figure, isMissed, shownValue } from './measure.ts';
import type { Bench } from './rounds.ts';

/** The figures of one part, and sentences to be read with them. */
export interface Section {
  readonly title: string;
  readonly figures: readonly Figure[];
  readonly notes: readonly string[];
}

/** Where and how the figures were measured. */
export interface Machine {
  readonly date: Date;
  /** Names and versions of what was measured with. */
  readonly versions: readonly string[];
  readonly processors: string;
  readonly rounds: number;
}

export function thisMachine({ size, redis }: Bench, date: Date): Machine {
  const [first] = cpus();
  return {
    date,
    versions: [
      `Node ${process.versions.node}`,
      `SQLite ${process.versions.sqlite ?? ''}`,
      ...(redis === undefined ? [] : [`Redis ${redis.version} (appendfsync everysec)`]),
    ],
    processors: `${cpus().length} × ${first?.model ?? 'an unknown processor'}, ${system()} ${arch()}`,
    rounds: size.rounds,
  };
}

/** The page with all figures of a run. It has no word that depends on a person. */
export function figuresPage({ date, versions, processors, rounds }: Machine, sections: readonly Section[]): string {
  return [
    '# Figures',
    '',
    '`npm run bench -- peers --write` measures these figures on one machine in one run and writes this page. What is quick is',
    'done some times first, also by the peers, because code that runs often is compiled. Then it is measured round by round,',
    'so that what slows the machine slows each of them, and a figure is the median of the rounds.',
    'Counts, memory, starts and loading are measured after the rounds. The last column is what is asked for.',
    '',
    `Measured on ${date.toISOString().slice(0, 10)} in ${rounds} rounds, with ${versions.join(', ')}, on ${processors}.`,
    '',
    ...sections.flatMap(sectionLines),
  ].join('\n');
}

function sectionLines({ title, figures, notes }: Section): readonly string[] {
  return [
    `## ${title}`,
    '',
    '| Figure | Value | At most |',
    '| --- | ---: | ---: |',
    ...figures.map((figure) => `| ${figure.what} | ${shownValue(figure)} | ${askedFor(figure)} |`),
    '',
    ...notes.flatMap((note) => [`- ${note.replaceAll('\n', ' ')}`]),
    ...(notes.length === 0 ? [] : ['']),
  ];
}

function askedFor(figure: Figure): string {
  const { target, unit } = figure;
  if (target === undefined) return '';
  return `${shownValue({ value: target, unit })}${isMissed(figure) ? ', **missed**' : ''}`;
}

export function writePage(file: string, page: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, page);
}
