/** What is stored and what it looks like to those who show it. Nothing here does anything. */

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
export * from './undeclared.ts';
