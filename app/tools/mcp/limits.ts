/** The limits of a tool server. It is a foreign program, so each of its answers has a bound. */
export const SERVER_LIMITS = {
  /** The time for the first answer after a start, and for each list of tools. */
  answerMs: 15_000,
  /** The time for one call, unless the file says otherwise. The time that people take for its questions does not count. */
  callMs: 60_000,
  /** How long a question waits for a person before it is cancelled. It ends with its call, and does not survive a restart. */
  questionMs: 10 * 60 * 1000,
  questionsPerCall: 5,
  questionChars: 3_000,
  /** A server that died is tried again after this, then after twice as long, and so on. */
  firstRetryMs: 1_000,
  longestRetryMs: 60_000,
  /** How often a silent server is pinged. */
  pingMs: 30_000,
  /** A stream that ended is opened again at most this often, whatever the server says. */
  streamEveryMs: 500,
  /** The list is read at most this often, even if the server reports more changes. */
  listEveryMs: 1_000,
  /** Before a call, an older list is read again, because an approval may be days old. */
  listFreshMs: 5 * 60 * 1000,
  /** How often the tools are compared with what an operator has allowed, or another replica has seen. */
  compareEveryMs: 5_000,
  pages: 20,
  tools: 200,
  /** One definition as JSON. */
  definitionBytes: 64_000,
  /** The schema of one tool or of one form. */
  schemaDepth: 40,
  schemaParts: 8_000,
  schemaReferences: 500,
  /** The parts of a schema, each counted as often as references lead to it. */
  schemaCost: 100_000,
  /** About as many comparisons in one check of an input. */
  checkSteps: 200_000,
  /** A tool that changes more often than this without being allowed is left out. */
  changesKept: 20,
  /** A server that has named so many tools gets no new one: each name is kept for ever. */
  namesKept: 1_000,
  /** One message: room for one picture as large as the model accepts. A longer message ends the connection. */
  messageBytes: 8 * 1024 * 1024,
  /** In the log, of one kind about one server. A list may name 200 tools that are left out. */
  linesPerHour: 250,
  /** One logged piece of a server's error stream. */
  complaintChars: 2_000,
} as const;
