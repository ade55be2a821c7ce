import { describe, expect, it } from 'vitest';
import { createLate } from '../../../app/opening/late.ts';

describe('the parts that are made late', () => {
  it('are refused before they are made, with the place where the call belongs', () => {
    const late = createLate<{ readonly door: string }>();

    expect(() => late.parts()).toThrow(/before all of its parts were made\. Make the call in `start`/);
  });

  it('reach another part that got them before they were made', () => {
    const late = createLate<{ readonly door: string }>();
    const knock = (): string => late.parts().door;

    late.arrive({ door: 'Slack' });

    expect(knock()).toBe('Slack');
  });
});
