import { breaking, type Sabotage } from './breaking.ts';

const OPEN = 'app/opening/open.ts';
const SEALED = 'app/store/sealed.ts';
const SEALED_TEXT = 'app/store/sealed-text.ts';
const SEALING = 'app/store/sealing.ts';
const DECIDING = 'app/approvals/deciding.ts';

export const OF_SECRETS: readonly Sabotage[] = [
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
      'summary: await safe(tool.summarise(input, failed)),',
      'summary: tool.summarise(input, failed),',
    ],
    [
      'a preview is as the tool wrote it',
      'app/runs/gate/describing.ts',
      '{ preview: await safe(preview) }',
      '{ preview }',
    ],
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
      'return inTurns.text(text, hidden);',
      'return inTurns.text(text);',
    ],
    [
      'a reason is kept as it was typed',
      DECIDING,
      'reason: reason === undefined ? undefined : await safe.words(about, reason),',
      'reason,',
    ],
    [
      'an answer is kept as it was typed',
      DECIDING,
      'answer: answer === undefined ? undefined : await safeAnswer(safe, asked, about, answer),',
      'answer,',
    ],
  ),
  ...breaking(
    'A hidden value in an edited input is not moved elsewhere',
    ['a moved mark is no problem', 'app/secrets/hidden.ts', 'moved ??= ', 'void '],
    [
      'a mark is a secret at any place',
      'app/secrets/hidden.ts',
      'const known = at.get(JSON.stringify(path));',
      'const known = hidden.find(({ shown }) => shown === value);',
    ],
  ),
  ...breaking(
    'With a key, no text in the store can be read',
    [
      'entries are stored as they are',
      SEALED,
      'text: seal(text, at(expectedVersion + index))',
      'text: index < 0 ? seal(text, at(expectedVersion)) : text',
    ],
    [
      'items are stored as they are',
      SEALED,
      'sealedItems.push(seal(item, itemPlace(itemsFrom + index)))',
      'sealedItems.push(index < 0 ? itemPlace(itemsFrom) : item)',
    ],
    ['what waits in an inbox is stored as it is', SEALED, 'seal(item, inboxAt(delivery.thread, delivery.key))', 'item'],
    ['the store is opened without the key', OPEN, 'owner, box, clock, log', 'owner, clock, log'],
  ),
  ...breaking(
    'With a key, no text in the store stands for another, and none in clear for an encrypted one',
    [
      'an entry is bound to its journal alone',
      SEALED_TEXT,
      "placed('entry', journal, position)",
      "placed('entry', journal)",
    ],
    [
      'an entry is bound to its position alone',
      SEALED_TEXT,
      "placed('entry', journal, position)",
      "placed('entry', position)",
    ],
    ['an item is bound to its run alone', SEALED_TEXT, "placed('item', run, position)", "placed('item', run)"],
    [
      'a waiting message is bound to its thread alone',
      SEALED_TEXT,
      "placed('inbox', thread, key)",
      "placed('inbox', thread)",
    ],
    [
      'text in clear may stand behind encrypted text',
      SEALED,
      'if (forged !== -1) throw inClear(',
      'if (forged === all.length) throw inClear(',
    ],
    [
      'what stands before the page is not looked at',
      SEALED,
      'const all = from === 0 ? texts : await again();',
      'const all = from >= 0 ? texts : await again();',
    ],
    [
      'a store that has no text in clear takes some',
      SEALED,
      "if (extent === 'all') throw inClear(placeOf(",
      'if (texts.length === 0) throw inClear(placeOf(',
    ],
  ),
  ...breaking(
    'A store with a key is not opened without it, or with another',
    [
      'the key may be missing',
      SEALING,
      "if ((await store.record('sealing')) !== undefined) throw new StoreSetupError(NO_KEY);",
      "if ((await store.record('sealing')) === '') throw new StoreSetupError(NO_KEY);",
    ],
    [
      'the key may be another',
      SEALING,
      'if (opened.length === 0) throw new StoreSetupError(WRONG_KEY);',
      'if (words.length === 0) throw new StoreSetupError(WRONG_KEY);',
    ],
  ),
];
