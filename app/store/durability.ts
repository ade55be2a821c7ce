/**
 * What a stored decision, trust or start of a call must survive before the bot acts on it. `process`: the death of the
 * server's process. `replica`: the loss of its machine, because another machine has a copy. `disk`: a loss of power.
 */
export const DURABILITIES = ['process', 'replica', 'disk'] as const;
export type Durability = (typeof DURABILITIES)[number];
