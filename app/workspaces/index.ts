export { createInstallations, type Installation, type Installations, type IsListed, listOf } from './installations.ts';
export { leave } from './leaving.ts';
