import type { CheckConfigDeps } from '../../app/config/check.ts';

/** A workspace that a test of configurations never asks anything. */
const nothing = async (): Promise<never> => {
  throw new Error('Nothing is reached in this test.');
};
export const reachNothing: CheckConfigDeps['reach'] = new Proxy(Object.create(null), { get: () => nothing });
