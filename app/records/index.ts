/** The types and schemas of what is stored, and of the records that views draw. No behaviour. */

export * from './approval.ts';
export * from './card.ts';
export * from './cards.ts';
export * from './decisions.ts';
export * from './ids.ts';
export * from './messages.ts';
export * from './questions/index.ts';
export * from './rules.ts';
export * from './text-ref.ts';
export * from './trust.ts';
export * from './trusted-calls.ts';
export * from './undeclared.ts';
export * from './unheard.ts';
