export { type HomeAnswerDeps, onHomeOpened } from './home.ts';
export { createAllHomes, createHomes, type Homes } from './homes.ts';
