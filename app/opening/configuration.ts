import { createReaches } from '../../handlers/thread/index.ts';
import { systemClock } from '../clock.ts';
import { type Config, type Environment, loadConfigFile } from '../config/index.ts';
import type { Log } from '../log.ts';
import { type IsListed, listOf } from '../workspaces/index.ts';
import type { LateParts } from './late.ts';

export interface ConfigurationSources {
  readonly environment: Environment;
  /** Where the configuration file is looked for. */
  readonly cwd: string;
  readonly late: () => Pick<LateParts, 'workspaces'>;
  readonly log: Log;
}

export interface Configuration {
  readonly config: Config;
  readonly isListed: IsListed;
}

/** Reads the configuration of the deployment, and which workspaces it lets in. Throws before anything is opened. */
export async function readConfiguration({ environment, cwd, late, log }: ConfigurationSources): Promise<Configuration> {
  const { configFile, slack, host, port, signOnSecret } = environment;
  const reach = createReaches({ of: (team) => late().workspaces.of(team) }, log);
  const config = await loadConfigFile(configFile, { cwd, now: systemClock.now, reach });
  if (host !== undefined && port === undefined)
    log.warn('HOST has no effect, because the bot listens on no port. Set PORT, or remove HOST.');
  if (signOnSecret !== undefined && config.signOn === undefined)
    log.warn(
      'SIGN_ON_SECRET has no effect, because the configuration has no signOn. Add it, or remove SIGN_ON_SECRET.',
    );
  // A bot token is for one workspace, which is let in.
  const isListed: IsListed = slack.access.type === 'one' ? () => true : listOf(config.workspaces);
  return { config, isListed };
}
