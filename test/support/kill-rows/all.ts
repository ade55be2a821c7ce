import type { Walk } from '../dying-walk.ts';
import { ENDINGS } from './endings.ts';
import { ASKED, LOST_CALLS } from './lost-calls.ts';
import { PLAIN, READ_ALONG } from './plain.ts';
import type { Row } from './row.ts';
import { SEVERAL } from './several.ts';
import { STOPPING } from './stopping.ts';
import { TRUSTED_CALLS } from './trusted-calls.ts';

/** Every row, in parts that can run side by side; each runs in every way a bot can be followed by another one. */
export const PARTS: readonly (readonly [part: string, rows: readonly Row[]])[] = [
  ['in the middle of one call', PLAIN],
  ['where approvals and runs end in other ways', ENDINGS],
  ['while people read along', READ_ALONG],
  ['with several messages, calls or cards', SEVERAL],
  ['during its shutdown', STOPPING],
  ['again, after a call that was lost', LOST_CALLS],
  ['while a tool server asks', ASKED],
  ['while the thread is told of a call on trust', TRUSTED_CALLS],
];

/** The steps at which a walk lets bots die. */
export const stepsOf = ({ dieAt }: Pick<Walk, 'dieAt'>): readonly string[] =>
  dieAt.map((at) => at.replace(/:\d+$/, ''));

/** The steps at which these let a bot die. */
export const DYING_AT: readonly string[] = PARTS.flatMap(([, rows]) => rows.flatMap(({ walk }) => stepsOf(walk)));
