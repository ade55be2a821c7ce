export { createSecretBox, DataKeys, type SecretBox, SecretError } from './box.ts';
export { fingerprintKey } from './fingerprint-key.ts';
export { type Hidden, namesOf, putBack, undeclaredOf } from './hidden.ts';
export { createRedaction, type Redaction } from './redaction.ts';
export { createSafeWords, type SafeWords, type SaidAbout } from './said.ts';
export { createScrubber, secretsOf } from './scrubber.ts';
export { type RedactSettings, RedactSettingsSchema } from './settings.ts';
export { createSigner, type Signer } from './signer.ts';
