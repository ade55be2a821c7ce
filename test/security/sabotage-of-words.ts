import { breaking, type Sabotage } from './breaking.ts';

const REPLY = 'handlers/views/reply';

export const OF_WORDS: readonly Sabotage[] = [
  ...breaking(
    'What the agent writes leads only where it says, and looks like no card',
    [
      'links stay as they are written',
      `${REPLY}/links.ts`,
      "return markdown.replace(LINK, shownLink).replace(JOINT, '] ');",
      'return markdown;',
    ],
    ['a false head stands open', `${REPLY}/heads.ts`, '!/^\\s*>/.test(line) &&', 'false &&'],
    ['a false head has no note', `${REPLY}/reply.ts`, 'const marked = looksLikeCard(part);', 'const marked = false;'],
  ),
  ...breaking(
    'No line of a message speaks to the model as another person',
    ['lines stay at the margin', 'app/runs/telling/person-message.ts', '.split(LINE_BREAK)', ".split('no break')"],
    [
      'a line of JSON has breaks in it',
      'app/tools/built-in/thread-tools.ts',
      'JSON.stringify(facts)',
      "Object.values(facts).join(' ')",
    ],
    [
      'a quotation ends at a separator of lines',
      'interventions/canonical.ts',
      'return inOneLine(JSON.stringify(words));',
      'return JSON.stringify(words);',
    ],
  ),
  ...breaking('No trust counts for a call that a person steered who is no full member', [
    'guests steer into trust',
    'app/authority/people.ts',
    "return accounts.every((account) => account === 'person');",
    'return true;',
  ]),
];
