/** What is stored and what it looks like to those who show it. Nothing here does anything. */

export * from './records/approval.ts';
export * from './records/cards.ts';
export * from './records/decisions.ts';
export * from './records/doubt.ts';
export * from './records/ids.ts';
export * from './records/inquiry.ts';
export * from './records/messages.ts';
export * from './records/rules.ts';
export * from './records/trust.ts';
export * from './records/undeclared.ts';
