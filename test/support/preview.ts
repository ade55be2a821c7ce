import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { renderToStaticMarkup } from 'react-dom/server';
import { checkMessageBlocks, checkView } from '../../sandbox/block-kit/check.ts';
import { asJson } from '../../sandbox/json.ts';
import { drawBlocks } from '../../sandbox/page/blocks.ts';
import { div } from '../../sandbox/page/kit/element.ts';
import { drawMessage } from '../../sandbox/page/message.ts';
import { drawModal } from '../../sandbox/page/modal.ts';
import { BOT } from '../../sandbox/people.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { World } from '../../sandbox/world.ts';
import { type Picture, pictures } from '../handlers/views/pictures.ts';
import { ANN, THREAD } from '../handlers/views/records.ts';
import { needChromium } from './servers.ts';

/**
 * `npm run preview`: every state of every card and every view, drawn as the sandbox draws them, each to a picture.
 * They are for looking at; a tests' renderer is not Slack, but what is wrong there is mostly wrong in Slack too.
 */

const [folder = 'preview'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const all = pictures();
const sandbox = await startSandbox();
const browser = await chromium.launch({ executablePath: await needChromium(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 760, height: 900 }, deviceScaleFactor: 1.5 });
  for (const picture of all) {
    await page.goto(sandbox.page);
    await show(page, markup(sandbox.world, picture), join(folder, `${picture.name}.png`));
  }
  process.stdout.write(`${all.length} pictures are in ${folder}/\n`);
} finally {
  await browser.close();
  await sandbox.close();
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
    div('picture thread', drawMessage(world, { ...message, ...rest }, { shortcuts: [], follows: false })),
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
    content:
      'body{overflow:visible;height:auto}.modal{max-height:none}.picture{width:640px;padding:16px;height:auto;background:var(--paper,#fff);color:var(--ink,#1d1c1d)}',
  });
  await page.locator('.picture, .modal').first().screenshot({ path });
}
