/**
 * What Slack accepts, in UTF-16 units, which is the strictest way to count, as Slack does not say how it counts. Builders
 * apply these, so no view can forget one.
 */
export const SLACK = {
  fallbackChars: 3_900,
  sectionChars: 3_000,
  fieldChars: 2_000,
  contextElements: 10,
  actionElements: 25,
  buttonChars: 75,
  labelChars: 75,
  optionChars: 75,
  checkboxes: 10,
  overflowOptions: 5,
  modalTitleChars: 24,
  hintChars: 2_000,
  inputChars: 3_000,
  selectOptions: 100,
  privateMetadataChars: 3_000,
  viewBytes: 250_000,
} as const;

/** How much the bot shows of a text before it says how much is hidden. */
export const SHOWN = {
  /** An input up to this length stands whole on the card, with Approve. */
  inputChars: 1_200,
  inputLines: 15,
  /** An input up to this length stands in one line. */
  lineChars: 70,
  /** A decided card shows less of the input, as a reminder. */
  decidedInputChars: 300,
  decidedInputLines: 6,
  toolChars: 128,
  /** The line of a row of a list card: all of it beside the number, and the part that the sentence always has. */
  rowChars: 68,
  rowSentenceChars: 28,
  rowNameChars: 24,
  /** What a phone shows of a button. */
  phoneButtonChars: 36,
  rowToolChars: 80,
  /** The sentence of a decided row. */
  rowSummaryChars: 120,
  summaryChars: 300,
  /** A question to a person, and what they may choose from. */
  questionShownChars: 1_000,
  /** In the text that is read out. */
  spokenChars: 120,
  reasonChars: 600,
  /** What the tool says would happen, and what has changed since it was asked before. */
  previewChars: 900,
  /** How things stand now, where nothing has changed. */
  nowChars: 300,
  /** What a person may type as the reason of a refusal. All of it is kept. */
  typedReasonChars: 1_000,
  typedAnswerChars: 3_000,
  /** What a person may ask about a message, and how much of that message goes with it. */
  questionChars: 2_000,
  aboutChars: 2_000,
  /** An old or new value of a field that a person changed, and how many of them. */
  changeChars: 120,
  changesShown: 12,
  /** All that one field takes. */
  editedChars: 3_000,
  /** What a tool server asks, on its card. Its form shows all of it. */
  inquiryChars: 2_000,
  formFields: 40,
  /** As long as such a sentence can be: it is cut nowhere. */
  trustLineChars: 320,
  /** What a guarded call does, in the form that confirms it. */
  confirmChars: 500,
  noteChars: 300,
  deciders: 5,
  /** One preformatted piece of the full view, and how many stand on one page: together well under `viewBytes`. */
  pieceChars: 2_800,
  piecesPerPage: 8,
  /** A longer input is also offered as a file. */
  pagesWithoutFile: 5,
  /** A part of a long answer, with room for the blocks around it. */
  replyChars: 9_000,
  trusts: 20,
  /** Calls in the line of a trust, each with its outcome. */
  trustedCalls: 10,
  /** Calls in the line below an answer. */
  calls: 12,
  /** Open questions in one list: four blocks each. */
  waiting: 10,
  /** The same on the app's own page. With one more in each of its lists, the page would have more than Slack's 100 blocks. */
  homeRows: 6,
  /** Runs whose thread did not hear their end. */
  unheard: 3,
  homeTools: 40,
  suggested: 4,
} as const;
