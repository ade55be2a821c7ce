import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { checkMessageBlocks, checkView } from '../../sandbox/block-kit/check.ts';
import { startProgram } from '../../sandbox/demo/program.ts';
import { asJson } from '../../sandbox/json.ts';
import { drawBlocks } from '../../sandbox/page/blocks.ts';
import { div } from '../../sandbox/page/kit/element.ts';
import { drawMessage } from '../../sandbox/page/message.ts';
import { drawModal } from '../../sandbox/page/modal.ts';
import { BOT } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import type { World } from '../../sandbox/world.ts';
import { type Picture, pictures } from '../handlers/views/pictures.ts';
import { ANN, THREAD } from '../handlers/views/records.ts';
import { saidHere } from './at-start/said-here.ts';
import { startServersOfTroubles } from './at-start/servers.ts';
import { SUBJECTS, troublesAtStart } from './at-start/troubles.ts';
import { needChromium } from './servers.ts';
import { PLAYS, play } from './size/plays.ts';

/**
 * `npm run preview`: every state of every card and every view, drawn as the sandbox draws them, each to a picture, and what
 * the bot says at a start that meets trouble.
 * They are for looking at; a tests' renderer is not Slack, but what is wrong there is mostly wrong in Slack too. After all
 * pictures it prints what each reference play takes, and how big its largest card is in Slack at 640 px.
 *
 * Words after `--`: the folder, `dark`, a width such as `390`, and the beginnings of the names to draw.
 */

const [folder = 'preview', ...wishes] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const width = Number(wishes.find((wish) => /^\d+$/.test(wish)) ?? 640);
const names = wishes.filter((wish) => wish !== 'dark' && !/^\d+$/.test(wish));
const all = pictures().filter(({ name }) => names.length === 0 || names.some((begin) => name.startsWith(begin)));
const sandbox = await startSandbox();
const browser = await chromium.launch({ executablePath: await needChromium(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({
    viewport: { width: width + 120, height: 900 },
    deviceScaleFactor: 1.5,
    colorScheme: wishes.includes('dark') ? 'dark' : 'light',
  });
  const draw = async (name: string, html: string) => {
    await page.goto(sandbox.page);
    await show(page, html, join(folder, `${name}.png`));
  };
  for (const picture of all) await draw(picture.name, markup(sandbox.world, picture));
  const terminals = await troubles(sandbox);
  for (const [name, lines] of terminals) await draw(name, terminal(lines));
  process.stdout.write(`${all.length + terminals.length} pictures are in ${folder}/\n`);
  if (wishes.length === 0) await printPlays(sandbox);
} finally {
  await browser.close();
  await sandbox.close();
}

/** What an operator reads at a start that meets trouble, as the bot says it: a picture for each subject. */
async function troubles(sandbox: Sandbox): Promise<readonly (readonly [name: string, lines: string])[]> {
  const subjects = SUBJECTS.filter((name) => names.length === 0 || names.some((begin) => name.startsWith(begin)));
  if (subjects.length === 0) return [];
  const servers = await startServersOfTroubles();
  try {
    const all = troublesAtStart(servers);
    const drawn: [string, string][] = [];
    for (const subject of subjects) {
      const said = await Promise.all(all[subject].map((trouble) => saidHere(trouble, sandbox)));
      drawn.push([subject, all[subject].map(({ what }, at) => `# ${what}\n${said[at]}`).join('\n\n')]);
    }
    return drawn;
  } finally {
    await servers.stop();
  }
}

function terminal(lines: string): string {
  const style = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', font: '12px/18px monospace', margin: 0 } as const;
  return renderToStaticMarkup(div('picture', createElement('pre', { style }, lines)));
}

/** Plays every reference task with the real bot. */
async function printPlays({ world, slackApiUrl, botToken, appToken, anthropicBaseUrl }: Sandbox): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'countersign-'));
  const bot = startProgram({
    file: resolve('app/main.ts'),
    folder: data,
    environment: {
      ...{ PATH: process.env.PATH, DATA_DIR: data, LOG_LEVEL: 'error' },
      ...{ SLACK_API_URL: slackApiUrl, SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken },
      ...{ ANTHROPIC_API_KEY: 'sandbox', ANTHROPIC_BASE_URL: anthropicBaseUrl },
      COUNTERSIGN_CONFIG: resolve('example/countersign.config.ts'),
    },
    onOutput: (text) => process.stderr.write(text),
  });
  try {
    for (const one of PLAYS) {
      const { cards, presses, largest } = await play(world, one);
      const task = `${one.task}${one.trusted === true ? ' (on trust)' : ''}`;
      const took = `cards ${cards}, presses ${presses}, height ${largest.heightPx} px, words ${largest.words}`;
      process.stdout.write(`${task.padEnd(40)}${took}\n`);
    }
  } finally {
    await bot.stop(10_000);
    rmSync(data, { recursive: true, force: true });
  }
}

/** What Slack would refuse is not drawn. */
function markup(world: World, { name, drawn }: Picture): string {
  const surfaces = 'blocks' in drawn ? [drawn] : drawn;
  const view = surfaces.find((surface) => 'type' in surface);
  if (view !== undefined) return viewMarkup(world, name, view);
  const checked = checkMessageBlocks(asJson(surfaces.flatMap(({ blocks }) => blocks)));
  if (checked.type === 'refused') throw new Error(`${name}: ${checked.problems.join('; ') || checked.error}`);
  const message = { channel: THREAD.channel, ts: THREAD.ts, user: BOT, text: '', blocks: checked.value };
  const rest = { reactions: [], files: [], earlier: [] };
  return renderToStaticMarkup(
    div(
      'picture thread',
      drawMessage(world, { ...message, ...rest }, { shortcuts: [], as: ANN, follows: false, of: 'message 1' }),
    ),
  );
}

function viewMarkup(world: World, name: string, drawn: { readonly type: 'modal' | 'home' }): string {
  const checked = checkView(asJson(drawn), drawn.type);
  if (checked.type === 'refused') throw new Error(`${name}: ${checked.problems.join('; ') || checked.error}`);
  const view = { id: 'V1', user: ANN, hash: '1', rootId: 'V1', content: checked.value, values: {}, errors: {} };
  if (drawn.type === 'modal') return renderToStaticMarkup(drawModal(world, view));
  return renderToStaticMarkup(
    div('picture home-view', drawBlocks(world, checked.value.blocks, { target: 'view:V1', values: {} })),
  );
}

async function show(page: Page, html: string, path: string): Promise<void> {
  // The page keeps itself fresh; here it has to stay as it was put.
  await page.locator('body').evaluate((body, inner) => Object.assign(body, { innerHTML: inner }), html);
  await page.addStyleTag({
    content: `body{overflow:visible;height:auto}.modal{max-height:none;max-width:${width}px}.picture{width:${width}px;padding:16px;height:auto;background:var(--paper,#fff);color:var(--ink,#1d1c1d)}`,
  });
  await page.locator('.picture, .modal').first().screenshot({ path });
}
