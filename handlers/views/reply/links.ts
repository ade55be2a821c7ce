/**
 * Makes every link and picture of a reply plain text that shows its address. The rules hold in code as well: what counts as
 * code differs between readers of Markdown, and a link must be none for all of them.
 */
export function plainLinks(markdown: string): string {
  return markdown.replace(LINK, shownLink).replace(JOINT, '] ');
}

/** A link or picture with a whole address, in any case of its scheme. No part of it holds a bracket, so it is read once. */
const LINK =
  /!?\[([^[\]\n]{0,300})\]\([ \t]*<?((?:[a-z][a-z0-9+.-]*:|\/\/|www\.)(?:[^\s()<>[\]]|\([^\s()<>[\]]*\))*)>?(?:[ \t]+"[^"\n[\]]*")?[ \t]*\)/gi;

/** What joins a text to an address in every other link, and a name to its address in a definition. A blank parts them. */
const JOINT =
  /\](?=[(:][\s>]*<?(?:[a-z0-9\u0080-\uffff][\w\u0080-\uffff+#;-]*[.&]|[a-z0-9][\w+.#;-]*\\?:|&|\\?\/\\?\/))/gi;

function shownLink(_link: string, text: string, address: string): string {
  const said = text.trim();
  return said === '' || said === address ? address : `${said} (${address})`;
}

/** The beginning of a growing reply in which no later word makes a link of what is shown. */
export function withoutOpenLink(markdown: string): string {
  const end = Math.min(openBracket(markdown), openJoint(markdown));
  const shown = markdown.slice(0, end);
  // A picture may follow.
  return shown.endsWith('!') ? shown.slice(0, -1) : shown;
}

function openBracket(markdown: string): number {
  const at = markdown.lastIndexOf('[');
  const rest = markdown.slice(at);
  return at === -1 || !MAY_BE_LINK.test(rest) || BEGINS_WITH_LINK.test(rest) ? markdown.length : at;
}

function openJoint(markdown: string): number {
  const at = markdown.lastIndexOf(']');
  return at !== -1 && MAY_BE_JOINT.test(markdown.slice(at)) ? at : markdown.length;
}

const BEGINS_WITH_LINK = new RegExp(`^(?:${LINK.source})`, 'i');
const MAY_BE_LINK = /^\[[^[\]\n]{0,300}(?:\](?:\([^[\]\n]*)?)?$/;
const MAY_BE_JOINT = /^\](?:[(:][\s>]*<?[\w\u0080-\uffff+.&#;\\/-]*)?$/;
