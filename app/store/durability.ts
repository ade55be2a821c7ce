/**
 * What a decision, a trust and the start of a call have to survive before anybody acts on them. `process`: the death of the
 * server's process. `replica`: that of its machine, because another one has it. `disk`: a loss of power.
 */
export const DURABILITIES = ['process', 'replica', 'disk'] as const;
export type Durability = (typeof DURABILITIES)[number];
