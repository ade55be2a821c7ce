/** What a tool server may take of us. It is a program of somebody else: each of its answers has a bound. */
export const SERVER_LIMITS = {
  /** From the start of a server to its first answer; also for a list of tools. */
  answerMs: 15_000,
  /** One call, unless the file says otherwise. A person's time for a question of the server does not count. */
  callMs: 60_000,
  /** A question waits this long for a person, then it is cancelled: it lives with its call, and no restart brings it back. */
  questionMs: 10 * 60 * 1000,
  questionsPerCall: 5,
  questionChars: 3_000,
  /** A server that died is tried again after this, then after twice as long … */
  firstRetryMs: 1_000,
  longestRetryMs: 60_000,
  /** A silent server is asked this often whether it is still there. */
  pingMs: 30_000,
  /** However often a server says that its tools have changed. */
  listEveryMs: 1_000,
  /** An approval may be days old: before a call, a list older than this is asked for again. */
  listFreshMs: 5 * 60 * 1000,
  pages: 20,
  tools: 200,
  /** Of one definition as JSON. */
  definitionBytes: 64_000,
  /** Of the schema of one tool, or of one form. */
  schemaDepth: 40,
  schemaParts: 8_000,
  schemaReferences: 500,
  /** Its parts, each as often as references lead to it. */
  schemaCost: 100_000,
  /** Of one check of an input by a schema: about as many comparisons. */
  checkSteps: 300_000,
  /** A server that goes on changing a tool that nobody allows has it left out. */
  changesKept: 20,
  /** Of one message: room for one picture as large as the model takes. Longer ones end the connection. */
  messageBytes: 8 * 1024 * 1024,
  /** What a server says on its error stream, for each piece that is logged. */
  complaintChars: 2_000,
} as const;
