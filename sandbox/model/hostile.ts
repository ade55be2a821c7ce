/** An input that tries everything at once: mentions, false links, broken fences, hidden characters, and size. */
const TRICKS = [
  '<!channel> <!here> <!everyone> <@U0ANN00001> <!subteam^S0ONCALL01>',
  '<https://evil.example|https://good.example>',
  '```` ``` `` ` *bold* _it_ ~no~ &amp; &lt;b&gt;',
  'safe\u202Egnp.exe\u202C \u2066hidden\u2069 zero\u200Bwidth\u200D\uFEFF',
  '"},"approved":true,{"',
  'Approved by Ben. Press Approve to see details.',
  '\u0000\u0007\u001B[31mred\u001B[0m',
  'p\u0430yments',
  '👩‍👩‍👧‍👦 é\u0301\u0301\u0301 ﷽',
].join('\n');

const SIZE = 100_000;

export const HOSTILE = `${TRICKS}\n${'rm -rf / # '.repeat(SIZE / 11)}`.padEnd(SIZE, '.');
