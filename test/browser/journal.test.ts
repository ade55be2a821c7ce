import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type DemoPage, onOneDemo } from '../support/demo-page.ts';

/** The journal beside a thread of the demo, on each store, as a visitor watches it grow. All tests on one store are on one demo. */
let demo: DemoPage;
const take = (opened: DemoPage) => {
  demo = opened;
};

/** The entries with these words, and what else the pane shows in its list. */
const entries = (words: string | RegExp) => demo.journal.getByRole('listitem').filter({ hasText: words });
const verdict = () => demo.journal.getByRole('status');

async function ask() {
  await demo.write('restart the payments service');
  await demo.sees('Approval needed');
}

async function approve() {
  await demo.button('Approve').click();
  await demo.sees('Done. The payments service was restarted.');
  await entries('The end of the run is in the journal of the workspace.').waitFor();
}

/** The whole hash or digest behind each short one with this label, from the top down. */
async function whole(label: string): Promise<readonly (string | undefined)[]> {
  const found = await demo.journal.locator(`code[title^="${label}: "]`).all();
  const titles = await Promise.all(found.map((code) => code.getAttribute('title')));
  return titles.map((title) => title?.split(': ')[1]);
}

describe.each([
  ['SQLite', { withRedis: false }],
  ['Redis', { withRedis: true }],
])('the journal of the demo on %s', (_store, setup) => {
  onOneDemo(take, setup);

  it('grows while a play runs, as one chain, and what was shown is what ran (DEMO-3)', async () => {
    await ask();
    await entries('People are asked about restart_service.').waitFor();
    expect(await entries('restart_service starts').count()).toBe(0);

    await approve();

    expect(await entries('Ann Archer: Approved restart_service.').count()).toBe(1);
    expect(await entries('restart_service starts, with a stored yes.').innerText()).toMatch(
      /shown ([0-9a-f]{8}) = ran \1/,
    );
    const [asked, shown, ran, ...others] = await whole('Digest');
    expect([asked?.length, shown, ran, others]).toEqual([64, asked, asked, []]);
    const hashes = await whole('Hash');
    expect(await whole('Hash of the entry before')).toEqual(hashes.slice(0, -1));
  });

  it('shows presses that were refused and doubled where they fell (DEMO-3)', async () => {
    await ask();
    await demo.be('Zoe');
    await demo.button('Approve').click();
    await entries('Zoe Lindqvist: Pressed “approve”, which counts for nothing: Only the person who asked').waitFor();
    await demo.be('Ann');
    await approve();

    await demo.trick('Deliver the last press five times');
    const again = 'Ann Archer: Pressed “approve”, which counts for nothing: settled before.';
    await expect.poll(() => entries(again).count()).toBe(5);
    expect(await entries('Slack delivered Ann Archer’s press of “Approve” again').count()).toBe(5);
    const all = await demo.journal.getByRole('listitem').allInnerTexts();
    const at = (words: string) => all.findIndex((text) => text.includes(words));
    expect(at('Zoe Lindqvist: Pressed')).toBeLessThan(at('Ann Archer: Approved'));
    expect(at('Ann Archer: Approved')).toBeLessThan(at('Slack delivered'));
    expect(at('Slack delivered')).toBeLessThan(at(again));
    expect(await entries('restart_service starts').count()).toBe(1);
  });

  it('is verified, and a byte that is altered in a copy turns its entry red and no other (DEMO-3)', async () => {
    await ask();
    await approve();

    await demo.journal.getByRole('button', { name: 'Verify', exact: true }).click();
    await verdict().locator('.whole').waitFor();
    expect(await verdict().innerText()).toMatch(/^Walked \d+ runs?, .* every one is as it was written\.$/);
    expect(await demo.journal.locator('.red').count()).toBe(0);

    await demo.journal.getByRole('button', { name: 'Alter one byte, then verify' }).click();
    await verdict()
      .getByText(/The journal itself: Walked \d+ run/)
      .waitFor();
    expect(await verdict().locator('.broken').innerText()).toMatch(
      /one byte of entry (\d+) of .* was altered: 1 became 0\.\s+.*does not stand on entry \1: that one was altered/,
    );
    expect(await verdict().locator('.whole').innerText()).toMatch(/every one is as it was written\.$/);
    expect(await demo.journal.locator('.red').allInnerTexts()).toEqual([
      expect.stringContaining('Ann Archer: Approved restart_service. Found altered, in the copy.'),
    ]);

    await demo.journal.getByRole('button', { name: 'Verify', exact: true }).click();
    await expect.poll(() => demo.journal.locator('.red').count()).toBe(0);
  });
});

describe('the pane of the journal', () => {
  onOneDemo(take);

  it('goes on after the bot and the command that reads for it were killed (DEMO-3)', async () => {
    await ask();
    await entries('The card about restart_service is in the thread.').waitFor();
    const readers = childrenOf(demo.started.child.pid).filter(({ command }) => command.includes('audit-main.ts tail'));
    expect(readers).toHaveLength(1);
    for (const { pid } of readers) process.kill(pid, 'SIGKILL');
    await demo.trick('Kill the bot');
    await demo.happened('and back after');

    await approve();
    expect(await entries('People are asked about restart_service.').count()).toBe(1);
  });

  it('is folded by the keyboard, stays so after a reload, and is reached on a phone (DEMO-3)', async () => {
    await ask();
    const fold = demo.journal.getByRole('button', { name: 'Journal', exact: true });
    await fold.press('Enter');
    await expect.poll(() => fold.getAttribute('aria-expanded')).toBe('false');
    await demo.page.reload();
    expect(await fold.getAttribute('aria-expanded')).toBe('false');

    await demo.page.setViewportSize({ width: 390, height: 844 });
    await fold.click();
    await demo.journal.getByRole('button', { name: 'Verify', exact: true }).click();
    await verdict().getByText('every one is as it was written').waitFor();
    await entries('Ann Archer: Asked the bot.').scrollIntoViewIfNeeded();
    expect(await demo.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});

function childrenOf(parent: number | undefined) {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
    .flatMap(([, pid, ppid, command = '']) => (Number(ppid) === parent ? [{ pid: Number(pid), command }] : []));
}
