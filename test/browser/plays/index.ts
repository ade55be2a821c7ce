import { ANSWERS } from './answers.ts';
import { APPROVALS } from './approvals.ts';
import type { PlayedTwice } from './play.ts';
import { SURPRISES } from './surprises.ts';
import { TALK } from './talk.ts';

export const PLAYED_TWICE: readonly PlayedTwice[] = [...APPROVALS, ...ANSWERS, ...SURPRISES, ...TALK];
