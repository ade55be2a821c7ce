import { expect, it } from 'vitest';
import { replyInSteps } from '../../../../handlers/views/reply/reply.ts';
import { replyMessages } from '../../../support/drawn-at-once.ts';

/** How often a reply lets other work have its turn while it is drawn. */
function stepsOf(text: string): number {
  const drawing = replyInSteps(text);
  let steps = 0;
  while (drawing.next().done !== true) steps += 1;
  return steps;
}

it.each(['Approved\n', '漢字漢字漢字漢a\n', 'a\n', '```\n'])(
  'a long reply of %j gives other work a turn at least after each 20,000 characters, and looks the same (EDGE-7)',
  (sign) => {
    const text = sign.repeat(64_000 / sign.length);

    expect(stepsOf(text)).toBeGreaterThanOrEqual(text.length / 20_000);
    expect(replyMessages(text).length).toBeGreaterThan(6);
  },
);

it('a reply of the usual length is drawn in one step (EDGE-7)', () => {
  expect(stepsOf('# Done\n- I restarted it.\n'.repeat(20))).toBe(0);
});
