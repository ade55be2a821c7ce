import type { Config, Environment } from '../config/index.ts';
import { createRedaction, fingerprintKey, type Redaction } from '../secrets/index.ts';

export interface RedactionSources {
  readonly environment: Environment;
  readonly config: Config;
  /** Told of every secret that turns up in a call, so that the log can leave it out. */
  readonly learnSecret: (secret: string) => void;
  /** Told what else a secret looks like in this deployment, for the log. */
  readonly hidePatterns: (patterns: readonly RegExp[]) => void;
}

/** What people, the model and the log see in the place of secrets. All replicas show the same fingerprints. */
export function openRedaction({ environment, config, learnSecret, hidePatterns }: RedactionSources): Redaction {
  const { dataKeys, slack } = environment;
  const sharedSecret = slack.access.type === 'one' ? slack.access.botToken : slack.access.clientSecret;
  hidePatterns(config.redact.patterns);
  return createRedaction({
    settings: config.redact,
    key: fingerprintKey(dataKeys?.[0], sharedSecret),
    found: learnSecret,
  });
}
