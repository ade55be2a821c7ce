import { it } from 'vitest';
import { sharedOf } from '../support/amount.ts';
import { type DemoPage, onOneDemo } from '../support/demo-page.ts';
import { ANSWERS } from './plays/answers.ts';
import { APPROVALS } from './plays/approvals.ts';

/** Plays of approvals and answers, each once by a person who may not decide, and once by the people who should. */
let demo: DemoPage;
onOneDemo((opened) => {
  demo = opened;
});

/** Of `npm test`, which also runs two tests of `strip.test.ts`. */
const FIRST = 2;
const all = [...APPROVALS, ...ANSWERS];
const played = sharedOf({ test: all.slice(0, FIRST), prove: all.slice(FIRST), whole: all });

for (const { decided, refused } of played) {
  for (const [title, play] of [refused, decided]) it(`${title} (DEMO-1)`, () => play(demo));
}
