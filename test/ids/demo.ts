/** The demo, in which people can watch the promises being kept. */
export const DEMO = {
  'DEMO-1':
    'The scripted model speaks only from results, verdicts and reasons it was given; a play says what comes next.',
  'DEMO-2': 'Try to break it: the bot can be killed and comes back, deliveries come twice, and answers get lost.',
  'DEMO-3': 'The journal grows on the page, is verified there, and an altered byte is found at its entry.',
  'DEMO-4':
    'A place that lasts: what was said and decided is there at the next start, and the page says when it cannot work.',
  'DEMO-5':
    'The page offers plays, says after each what to try next and who is needed, and serves a keyboard, a finger and a screen reader.',
  'DEMO-6':
    'The sandbox is as strict as Slack, differs from another stand-in only where a reason says so, and takes any Bolt app.',
} as const;
