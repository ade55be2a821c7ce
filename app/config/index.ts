export { readEnvFile } from './env-file.ts';
export {
  type Environment,
  EnvironmentError,
  readEnvironment,
  readSlackAccess,
  readStoreAddress,
} from './environment.ts';
export {
  type Config,
  ConfigFileError,
  type ConfigInput,
  defineConfig,
  loadConfigFile,
  type WrittenPolicy,
} from './file.ts';
export { type OpenTools, openTools } from './open-tools.ts';
export { listeningHost, webSettings } from './second-factor.ts';
