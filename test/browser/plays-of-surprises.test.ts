import { it } from 'vitest';
import { type DemoPage, onOneDemo } from '../support/demo-page.ts';
import { SURPRISES } from './plays/surprises.ts';
import { TALK } from './plays/talk.ts';

/** Plays of surprises and of talk, each once by a person who may not decide, and once by the people who should. */
let demo: DemoPage;
onOneDemo((opened) => {
  demo = opened;
});

for (const { decided, refused } of [...SURPRISES, ...TALK]) {
  for (const [title, play] of [refused, decided]) it(`${title} (DEMO-1)`, () => play(demo));
}
