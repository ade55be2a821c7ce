import type { Config, Environment } from '../config/index.ts';
import { createRedaction, fingerprintKey, type Redaction } from '../secrets/index.ts';

export interface RedactionSources {
  readonly environment: Environment;
  readonly config: Config;
  /** Called with every secret found in a call, so that the log hides it. */
  readonly learnSecret: (secret: string) => void;
  /** Called with the deployment's own patterns of secrets, so that the log hides them. */
  readonly hidePatterns: (patterns: readonly RegExp[]) => void;
}

/** Makes what hides secrets from people, the model and the log. All replicas show the same fingerprints. */
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
