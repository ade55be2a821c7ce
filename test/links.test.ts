import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readWish } from '../app/commands/audit.ts';
import { misread } from '../app/commands/keys.ts';
import { readManifestWish } from '../app/commands/manifest.ts';
import { readToolsWish } from '../app/commands/tools.ts';
import { PAGES, textOf } from './support/pages.ts';

describe('the documents', () => {
  it.each(PAGES)('docs/%s.md links to the page that follows it', (page) => {
    const next = PAGES[(PAGES.indexOf(page) + 1) % PAGES.length];

    expect(textOf(page).trimEnd().split('\n').at(-1)).toContain(`(${next}.md)`);
  });

  const outside = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'interventions/README.md'];
  const documents = [
    ...outside,
    ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
  ];
  it.each(documents)('%s links to files and headings that exist', (document) => {
    const links = [...readFileSync(document, 'utf8').matchAll(/\]\((?!https?:)([^)\s]*)\)/g)];

    expect(links.map(([, link = '']) => link).filter((link) => !leadsSomewhere(document, link))).toEqual([]);
  });

  it('the table of files in interventions/README.md names files that exist', () => {
    const [, table = ''] = readFileSync('interventions/README.md', 'utf8').split('## Where to find it');
    const files = [...table.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, file = '']) => file);

    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !existsSync(join('interventions', file)))).toEqual([]);
  });

  it.each(['README.md', 'SECURITY.md', 'docs/policy.md', 'docs/run.md'])(
    '%s says that the port of the page for decisions must be closed to all but the proxy (EDGE-8)',
    (document) => {
      const text = readFileSync(document, 'utf8').replaceAll(/\s+/g, ' ');

      expect(text).toMatch(/(?:must be closed|Close the port) to all but (?:the|your) proxy/);
    },
  );

  it('the documents name scripts that exist, with words that the commands of an operator take', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')));
    const named = documents.flatMap((document) => [
      ...readFileSync(document, 'utf8').matchAll(/npm run(?: -s)? (?<script>[a-z]+)(?: -- (?<words>[^`\n#|>]+))?/g),
    ]);

    expect(named.length).toBeGreaterThan(30);
    for (const { 0: command, groups: { script = '', words } = {} } of named) {
      expect(scripts, command).toHaveProperty(script);
      const args = words?.trim().replace('HASH', 'h'.repeat(43)).replace('PUBLIC_URL', 'https://bot.example.com');
      if (args !== undefined) expect(refusalOf[script]?.(args.split(/ +/)), command).toBeUndefined();
    }
  });

  it('README has at most 110 lines', () => {
    expect(readFileSync('README.md', 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(110);
  });
});

/** Why a command does not take its words. `undefined` if it does. */
const refusalOf: Readonly<Record<string, (args: readonly string[]) => string | undefined>> = {
  audit: (args) => problemIn(readWish(args)),
  keys: misread,
  manifest: (args) => problemIn(readManifestWish(args)),
  tools: (args) => problemIn(readToolsWish(args)),
};

function problemIn(read: object | string): string | undefined {
  if (typeof read === 'string') return read;
  return 'problem' in read ? String(read.problem) : undefined;
}

function leadsSomewhere(document: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const file = path === '' ? document : join(dirname(document), path);
  if (!existsSync(file)) return false;
  if (heading === undefined) return true;
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
  return headings.includes(heading);
}
