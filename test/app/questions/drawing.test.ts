import { expect, it } from 'vitest';
import { NOT_PAINTED, orOwing } from '../../../app/questions/drawing.ts';
import { ClosedChannelError } from '../../../app/surface.ts';
import { keptLog } from '../../support/kept-log.ts';

const paintedBy = async (paint: () => Promise<'paid'>) => {
  const { log, lines } = keptLog();
  const end = await orOwing(log.warn, NOT_PAINTED, {}, paint);
  return { end, lines };
};

it('a painting that Slack took is over, and nothing is logged', async () => {
  expect(await paintedBy(async () => 'paid')).toEqual({ end: 'paid', lines: [] });
});

it('a painting that failed stays owed, and the log says why', async () => {
  expect(await paintedBy(() => Promise.reject(new Error('away')))).toEqual({
    end: 'owing',
    lines: ['warn: A card could not be painted yet. away'],
  });
});

it('a painting that Slack will never take ends with the reason', async () => {
  const gone = new ClosedChannelError('C1', 'is_archived');

  expect(await paintedBy(() => Promise.reject(gone))).toEqual({
    end: gone,
    lines: [`warn: A card could not be painted yet. ${gone.message}`],
  });
});
