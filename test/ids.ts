import { AT_THE_CARD } from './ids/card.ts';
import { DEMO } from './ids/demo.ts';
import { DURABILITY } from './ids/durability.ts';
import { EDGES } from './ids/edges.ts';
import { LIBRARY } from './ids/library.ts';
import { MENDED } from './ids/mended.ts';
import { PROPERTIES } from './ids/properties.ts';
import { REFUSALS } from './ids/refusals.ts';
import { SCENARIOS } from './ids/scenarios.ts';
import { SURFACE } from './ids/surface.ts';
import { THREATS } from './ids/threats.ts';

/** What each id at the end of a title says. `npm run ids` prints the titles that prove each. */
export const IDS: Readonly<Record<string, string>> = {
  ...PROPERTIES,
  ...AT_THE_CARD,
  ...THREATS,
  ...DURABILITY,
  ...LIBRARY,
  ...SCENARIOS,
  ...MENDED,
  ...EDGES,
  ...REFUSALS,
  ...SURFACE,
  ...DEMO,
};
