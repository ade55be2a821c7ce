import { play } from '../kit/play.ts';

export const explain = play({
  about: 'How the agent works, in its own words.',
  example: 'explain how you work',
  begins: /\b(explain|long)\b/i,
  says: () =>
    [
      '## How I work\n\n',
      'I answer in this thread. When I want to do something that *changes* anything, I ask first:\n\n',
      '1. You see **what** I want to run, with every detail.\n',
      '2. A person **approves** or **denies**.\n',
      '3. Only then it runs, and it runs **once**.\n\n',
      'Looking at things is free:\n\n```\nservice_status payments\n```\n\n',
      '> What was shown is what runs.\n',
    ].join(''),
  next: 'Write “status”, then “restart the payments service”.',
});
