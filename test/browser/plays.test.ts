import { it } from 'vitest';
import { sharedOf } from '../support/amount.ts';
import { type DemoPage, onOneDemo } from '../support/demo-page.ts';
import { PLAYED_TWICE } from './plays/index.ts';

/** Each play once by a person who may not decide, and once by the people who should. */
let demo: DemoPage;
onOneDemo((opened) => {
  demo = opened;
});

/** Of `npm test`, which also runs two tests of `strip.test.ts`. */
const FIRST = 2;
const played = sharedOf({ test: PLAYED_TWICE.slice(0, FIRST), prove: PLAYED_TWICE.slice(FIRST), whole: PLAYED_TWICE });

for (const { decided, refused } of played) {
  for (const [title, play] of [refused, decided]) it(`${title} (DEMO-1)`, () => play(demo));
}
