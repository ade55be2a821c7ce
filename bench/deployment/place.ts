import { fileURLToPath } from 'node:url';

/** The configuration of the deployment that is measured. */
export const CONFIGURATION = fileURLToPath(new URL('countersign.config.ts', import.meta.url));
