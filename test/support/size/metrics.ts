/**
 * How big Slack draws things, in pixels, on a desktop. These numbers are Slack's. A card that is too high is made shorter;
 * a number here does not change for it, and `test/handlers/views/size.test.ts` holds each of them.
 */
export const SLACK_PX = {
  /** A message at this width: its text has the rest beside the picture of its author and the margins. */
  message: 640,
  beside: 84,
  text: { size: 15, line: 22 },
  context: { size: 12, line: 18 },
  code: { size: 12, line: 18 },
  button: 28,
  gap: 8,
  divider: 1,
  /** The frame of preformatted text, above and below, and on each side. */
  frame: 8,
  /** The bar before quoted text, with its margin. */
  bar: 16,
  /** The frame of a button on each side of its words, and the width of a menu of three dots. */
  buttonSide: 12,
  menu: 36,
  /** Width of a character as a share of its size: an average of Slack's font, and that of its fixed font. */
  letter: 0.5,
  fixed: 0.6,
} as const;
