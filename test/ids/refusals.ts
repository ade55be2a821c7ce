/** What the bot does where Slack refuses. */
export const REFUSALS = {
  'SURF-3':
    'Each documented refusal of Slack has one known effect: nothing runs unasked, no try is endless, and a person reads why.',
} as const;
