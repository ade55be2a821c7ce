import { writeFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { type Frame, moving } from './animated-png.ts';
import { startDemo } from './demo.ts';
import { needChromium } from './servers.ts';

/**
 * `npm run picture`: walks through the guided minute of the demo in a browser and writes what it sees as one moving picture, for
 * the top of README. A word after `--` names another file.
 */
const [file = 'docs/demo.png'] = process.argv.slice(2);
const { address, stop } = await startDemo({ withRedis: true });
const browser = await chromium.launch({ executablePath: await needChromium(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1250, height: 720 }, reducedMotion: 'reduce' });
  await page.goto(address);
  const frames = await walk(page);
  const picture = moving(frames);
  writeFileSync(file, picture);
  process.stdout.write(`${file}: ${frames.length} pictures, ${Math.round(picture.length / 1024)} KiB\n`);
} finally {
  await browser.close();
  await stop();
}

async function walk(page: Page): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  const take = async (ms: number) => {
    await page.mouse.move(0, 0);
    frames.push({ png: await page.screenshot(), ms });
  };
  const guide = page.getByRole('region', { name: 'A minute in five steps' });
  const thread = page.getByRole('region', { name: 'Thread' });
  const approve = thread.getByRole('button').filter({ hasText: /^Approve$/ });
  const step = (number: number) => guide.getByText(`${number} of 5`).waitFor();
  await step(1);
  await take(2500);
  await guide.getByRole('button', { name: 'Say' }).click();
  await approve.waitFor();
  await take(3500);
  await approve.click();
  await thread.getByText('Done.').waitFor();
  await step(3);
  await take(3000);
  await guide.getByRole('button', { name: 'Say' }).click();
  await approve.waitFor();
  await take(2500);
  await page.getByRole('button', { name: 'Kill the bot' }).click();
  await page.getByText('The bot is gone.').waitFor();
  await take(2000);
  await step(4);
  await take(3000);
  await approve.click();
  await thread.getByText('Done.').waitFor();
  await step(5);
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page
    .getByRole('region', { name: 'Journal' })
    .getByRole('status')
    .filter({ hasText: /\w/, hasNotText: '…' })
    .waitFor();
  await take(4000);
  return frames;
}
