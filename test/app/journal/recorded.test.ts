import { describe, expect, it } from 'vitest';
import { evolve } from '../../../app/journal/fold/evolve.ts';
import type { RunState } from '../../../app/journal/fold/state.ts';
import { findBreak } from '../../../app/journal/line/line.ts';
import { foldEntries, meaningOf, standsAt } from '../../support/meaning.ts';
import { entriesOf, recordedJournals } from '../../support/recorded.ts';
import { redecide } from '../../support/redecide.ts';

describe.each(recordedJournals().map((journal) => [journal.release, journal.name, journal] as const))(
  'what version %s wrote: %s (FN4, D10)',
  (_release, _name, journal) => {
    it('is read, line by line, and the chain holds', () => {
      expect(findBreak(journal.texts)).toBeUndefined();
      expect(entriesOf(journal)).toHaveLength(journal.texts.length);
    });

    it('means what it meant', async () => {
      await expect(meaningOf(entriesOf(journal))).toMatchFileSnapshot(`../../../${journal.meaning}`);
    });

    it('gets the same decisions', () => {
      const entries = entriesOf(journal);
      let state: RunState | undefined;
      for (const [at, entry] of entries.entries()) {
        const decided = state === undefined ? undefined : redecide(state, entry);
        if (decided !== undefined) {
          expect(standsAt(entries, at, decided), `${at + 1} ${entry.type}: ${JSON.stringify(decided)}`).toBe(true);
        }
        state = evolve(state, entry);
      }
    });
  },
);

it('and would show a decision that changed its meaning', () => {
  const [journal] = recordedJournals().filter(({ texts }) => texts.some((text) => text.includes('"call-decided"')));
  const entries = journal === undefined ? [] : entriesOf(journal);
  const at = entries.findIndex(({ type }) => type === 'call-decided');
  const decided = entries[at];
  const after = foldEntries(entries.slice(0, at + 1));

  expect(decided && standsAt(entries, at, redecide(after, decided) ?? [])).toBe(false);
});
