/** Faults of the bot that were found from outside and mended, each as what holds since. */
const FAULTS = {
  'MF-1': 'The token of the bot fetches only files that Slack hosts, and follows no redirect.',
  'MF-2': 'The schemas of a tool server are bounded, and are compiled at a bounded cost.',
  'MF-3': 'Searching a text takes time in proportion to its length, and what is logged is cut first.',
  'MF-4': 'A store that refuses a write while a tool runs leaves no thread stuck.',
  'MF-5': 'The thread hears of an answer without words, and no run is sealed without its answer.',
  'MF-6': 'Writing into a waiting thread gives its author no yes, and nobody else the trust of its requester.',
  'MF-7': 'A command that is dressed as a secret is shown, or its card has no Approve.',
  'MF-8': 'Only workspaces that the deployment lists install the app, unless it says *anybody*.',
  'MF-9': 'Each failure of a tool is logged with run, call, tool and cause, and `help.log` writes to the log.',
  'MF-10': 'The name of a tool stands on a card as it is.',
  'MF-11': 'A refusal of Slack that does not pass is final, and what may pass is tried again ever more seldom.',
  'MF-12': 'The model of the demo speaks from results, verdicts and reasons alone.',
  'MF-13': 'No source code stands on a card, and a sentence of trust or destruction names the input.',
  'MF-14': 'Unknown names in a list of allowed tools are refused or warned about, and a failing gate denies.',
  'MF-15': 'Versions, file modes, secrets, passwords, `.env` and odd bodies are handled as the README says.',
} as const;

/** Where the library differed from its reference by accident, each as what it does since. */
const AS_THE_REFERENCE = {
  'REF-1': 'Tools, hooks, handlers and sub-agents get the invocation state that the caller gave.',
  'REF-2': '`getCallbacksFor` yields callbacks, in the order in which they are invoked.',
  'REF-3': 'An event says itself whether its callbacks are called in reverse.',
  'REF-4': 'A system prompt that is assigned goes to the next call of the model.',
  'REF-5': '`structuredOutput` takes text, blocks, messages or nothing.',
  'REF-6': 'A callback that returns a promise from a synchronous call leaves no unhandled rejection.',
  'REF-7': 'Under `reference`, a Confirm in front of a Transform asks one round.',
  'REF-8': 'A profile is given once and reaches every part, and what it does not restore is listed.',
  'REF-9': 'A Confirm without effect at its moment is not settled.',
  'REF-10': 'An empty `endTurn` ends the turn and stores no empty message.',
  'REF-11': 'A cancel between two tools ends as a cancel of one tool does.',
  'REF-12': 'After a cancel in front of a batch, the event behind it has the results of the batch.',
  'REF-13': 'An answer during which the agent is cancelled is treated as the README says.',
  'REF-14': 'An empty list as input is refused with what to give.',
  'REF-15': '`initialize()` lets handlers observe the agent and tells of it, once.',
  'REF-16': 'The error of a failing handler names the handler and the event.',
  'REF-17': 'Settling no Confirm after a denial cannot be read as an approval.',
} as const;

export const MENDED = { ...FAULTS, ...AS_THE_REFERENCE } as const;
