import type { Step } from '../../../app/step.ts';

/** The steps of removing a run whose time is over. */
export const RETIRING = ['run-exported', 'run-retired'] as const satisfies readonly Step[];
