export {
  createInstallations,
  type Installation,
  type Installations,
  type IsListed,
  listOf,
  type Removed,
  renewTokens,
} from './installations.ts';
export { leave } from './leaving.ts';
export { comeBack } from './returning.ts';
