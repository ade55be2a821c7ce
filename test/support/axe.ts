import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** What `axe` finds on the page, in the light and in the dark, on a desk and on a phone: a line for each, and none is right. */
export async function axeFinds(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 844 });
      found.push(...(await findings(page)).map((finding) => `${colorScheme} ${width} px: ${finding}`));
    }
  }
  await page.setViewportSize({ width: 1280, height: 844 });
  return found;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function findings(page: Page): Promise<readonly string[]> {
  // The page allows only scripts of its own address, which does not bind what a test evaluates.
  await page.evaluate(`if (window.axe === undefined) { ${AXE} }`);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ' ' + html + ' ' + failureSummary)))`);
}
