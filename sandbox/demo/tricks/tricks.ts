import type { Trick } from '../../page/strip.ts';
import { expiring } from './expiring.ts';
import { killing } from './killing.ts';
import { slackTricks } from './slack.ts';
import type { DemoStage } from './stage.ts';
import { storeTricks } from './store.ts';

/** The tricks of the demo, in the order of the page. */
export function tricksOn(stage: DemoStage): readonly Trick[] {
  return [...killing(stage), ...slackTricks(stage), expiring(stage), ...storeTricks(stage)];
}
