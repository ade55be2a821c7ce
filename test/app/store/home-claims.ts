import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UserId } from '../../../app/records/index.ts';
import type { HomeClaims } from '../../../app/store/todo.ts';
import type { Engine } from './contract.ts';

const person = { team: 'T1', user: UserId.parse('U1') };
const ofA = (forMs = 60_000) => ({ person, by: 'a', forMs });
const ofB = () => ({ person, by: 'b', forMs: 60_000 });

/** What every store of several processes promises about the page of a person. `open` gives an empty one. */
export function describeHomeClaims(name: string, open: () => Promise<Engine>): void {
  describe(`${name}: the Home page of a person`, () => {
    let engine: Engine;
    let store: HomeClaims;
    let other: HomeClaims;
    beforeEach(async () => {
      engine = await open();
      ({ store, other } = engine);
    });
    afterEach(() => engine.close());

    it('a Home page is claimed by one process of many, and the next one is told what it shows (SURF-3)', async () => {
      expect(await store.claimHome(ofA())).toBe('unknown');
      expect(await other.claimHome(ofB())).toBe('elsewhere');
      expect(await other.keepHome(ofB(), 'of b')).toBe(false);
      expect(await store.keepHome(ofA())).toBe(true);
      expect(await other.claimHome(ofB())).toBe('elsewhere');
      expect(await other.claimHome({ ...ofB(), person: { ...person, team: 'T2' } })).toBe('unknown');

      expect(await store.keepHome(ofA(30_000), 'of a')).toBe(true);
      const told = await other.claimHome(ofB());
      expect(told).toEqual({ shows: 'of a', forMs: expect.any(Number) });
      expect(typeof told === 'object' && told.forMs > 20_000 && told.forMs <= 30_000).toBe(true);
      expect(await store.claimHome(ofA())).toBe('elsewhere');
    });

    it('what a Home page shows is unknown once a claim ends without a word, and its process learns that it lost the claim (SURF-3)', async () => {
      await store.claimHome(ofA());
      await store.keepHome(ofA(), 'of a');
      expect(await store.claimHome(ofA(50))).toEqual({ shows: 'of a', forMs: expect.any(Number) });
      await expect.poll(() => other.claimHome(ofB())).toBe('unknown');

      expect(await store.keepHome(ofA())).toBe(false);
      expect(await store.keepHome(ofA(), 'of a')).toBe(false);
      expect(await other.claimHome(ofB())).toBe('unknown');
    });

    it('what a Home page shows is forgotten in time (SURF-3)', async () => {
      await store.claimHome(ofA());
      await store.keepHome(ofA(50), 'of a');
      await new Promise((resolve) => setTimeout(resolve, 100));

      expect(await other.claimHome(ofB())).toBe('unknown');
    });
  });
}
