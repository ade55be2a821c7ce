/** What people meet in Slack: the card, the people it asks, and the words. */
export const SURFACE = {
  'SURF-1':
    'One glance, one decision: a card for a short input is small, repeats nothing and says what its call rests on.',
  'SURF-5':
    'Words that people meet, errors at start included, are those of a friendly colleague, and the preview shows them.',
} as const;
