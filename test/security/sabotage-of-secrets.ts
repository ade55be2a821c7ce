import { breaking, type Sabotage } from './breaking.ts';

const OPEN = 'app/opening/open.ts';
const DECIDING = 'app/approvals/deciding.ts';

export const SABOTAGES_OF_SECRETS: readonly Sabotage[] = [
  ...breaking(
    'Only the tool sees a secret in an input',
    [
      'the log is not scrubbed',
      'app/start.ts',
      'process.stderr.write(scrubber.scrub(line))',
      'process.stderr.write(line)',
    ],
    ['the scrubber learns no secret of an input', 'app/opening/redaction.ts', 'found: learnSecret,', ''],
    [
      'the sentence on the card is as the tool wrote it',
      'app/runs/gate/describing.ts',
      'summary: safe(tool.summarise(input, failed)),',
      'summary: tool.summarise(input, failed),',
    ],
    ['a preview is as the tool wrote it', 'app/runs/gate/describing.ts', '{ preview: safe(preview) }', '{ preview }'],
  ),
  ...breaking(
    'A command that is dressed as a secret is shown, or its card has no Approve',
    [
      'a card that hides it has Approve',
      'handlers/views/card/call.ts',
      'return hides.length > 0 && undeclared?.length !== 0;',
      'return false;',
    ],
    [
      'a press of a button that is not drawn counts',
      'app/approvals/drawn.ts',
      "return verdict === 'deny' || draws.showsWholeInput(approval);",
      'return true;',
    ],
  ),
  ...breaking(
    'What a person types as a reason or an answer is searched as well',
    [
      'what the input hides is not looked for',
      'app/secrets/said.ts',
      'return redaction.text(text, hidden);',
      'return redaction.text(text);',
    ],
    [
      'a reason is kept as it was typed',
      DECIDING,
      'reason: reason === undefined ? undefined : safe.words(about, reason),',
      'reason,',
    ],
    [
      'an answer is kept as it was typed',
      DECIDING,
      'answer: answer === undefined ? undefined : safeAnswer(safe, asked, about, answer),',
      'answer,',
    ],
  ),
  ...breaking(
    'A hidden value in an edited input is not moved elsewhere',
    ['a moved mark is no problem', 'app/secrets/redaction.ts', 'moved ??= ', 'void '],
    [
      'a mark is a secret at any place',
      'app/secrets/redaction.ts',
      'const known = at.get(JSON.stringify(path));',
      'const known = hidden.find(({ shown }) => shown === value);',
    ],
  ),
  ...breaking(
    'With a key, the store holds no message, input or result that can be read',
    [
      'items are stored as they are',
      'app/store/sealed.ts',
      'items: request.items.map((item) => seal(item, itemsOf(request.journal)))',
      'items: request.items',
    ],
    [
      'what waits in an inbox is stored as it is',
      'app/store/sealed.ts',
      'item: seal(item, inboxOf(delivery.thread))',
      'item',
    ],
    ['a short input stands in an entry', OPEN, 'sealsItems: box !== undefined,', 'sealsItems: false,'],
    [
      'what people are shown of an input stands in an entry',
      'app/recorder/texts.ts',
      '{ shown: put(shown) }',
      '{ shown: { text: shown } }',
    ],
    ['the store is opened without the key', OPEN, 'durability, box, clock, log', 'durability, clock, log'],
  ),
];
