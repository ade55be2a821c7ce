export { createAllPeople, createReaches, createSurfaces } from './everywhere.ts';
export { takeBackLost } from './lost.ts';
export { upload } from './upload.ts';
