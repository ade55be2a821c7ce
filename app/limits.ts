/** Every bound the bot keeps. A loop, a queue or a text without an entry here is a bug. */
export const LIMITS = {
  /** A model that has not finished by now is going in circles. */
  turnsPerRun: 24,
  toolCallsPerTurn: 60,
  /** Up to so many questions of one turn have a card each; more share list cards, of at most so many rows. */
  cardsPerTurn: 3,
  rowsPerCard: 10,
  /** So long the first questions of a turn wait for the others, to stand on one card with them. */
  gatherMs: 1_000,
  /** The log keeps so much of what a tool logs, and of what makes it fail. */
  toolLogChars: 4_000,
  /** Longer tool outputs are cut; the model is told so. */
  toolOutputChars: 20_000,
  /** One input a person could still review page by page; larger ones are refused before anybody is asked. */
  toolInputBytes: 1_000_000,
  /** After a day the approval is expired: nobody answered, which is not a no. */
  approvalLifetimeMs: 24 * 60 * 60 * 1000,
  /** What a tool server may ask in the middle of one call before it has heard the answers. */
  inquiriesPerCall: 5,
  /** A tool server's call gives a person ten minutes; ending a little before, the card can say why. */
  inquiryLifetimeMs: 9.5 * 60 * 1000,
  /** A longer form could not be drawn, so it is not kept either. */
  inquirySchemaChars: 20_000,
  /** Later than this a wait gives its memory back and goes on from the journal when it is decided. */
  hotMs: 10 * 60 * 1000,
  /** More waiting runs than this in one process, and the oldest go cold first. */
  hotRuns: 1_000,
  /** A thread that is being advanced is renewed well within this; nobody else takes it meanwhile. */
  leaseMs: 5_000,
  /** A post that another process has begun is left to it for so long: less than a lease, so whoever takes over need not wait. */
  postPatienceMs: 4_000,
  /** A decision that nobody was awake for is picked up after this. */
  graceMs: 100,
  /** A process that holds the result of a call, which the store refused, tries to write it this often. */
  rewriteAfterMs: 1_000,
  /** How often each process looks for what is due. */
  sweepMs: 500,
  /** Until then the card stands where it belongs, and whoever was quick has answered. */
  noticeAfterMs: 2_000,
  /** A lost hint costs at most this. */
  reconcileMs: 15_000,
  claimsPerSweep: 50,
  /** Threads that one process advances at a time. Those that wait for people do not count. */
  threadsAtOnce: 100,
  /** What is due for so long and handed out to nobody is taken without the queue. */
  queuePatienceMs: 3_000,
  /** A run that only a newer version of the bot reads comes up again this often where none is running. */
  refusalApartMs: 5_000,
  /** Of so many such runs it is known that this was said. */
  refusalsKnown: 10_000,
  /** What Slack did not take is tried again after this, then after twice as long, up to the second; after the third it is given up. */
  retryAfterMs: 5_000,
  retryApartMs: 5 * 60 * 1000,
  retryForMs: 24 * 60 * 60 * 1000,
  retriesKnown: 10_000,
  /** How many times an append that met another writer reads and decides again. */
  appendAttempts: 20,
  /** Entries in all of the journals of runs that a process keeps folded; the one used longest ago goes first. */
  foldedEntries: 20_000,
  /** People and groups who are named to decide about one call: each of them has a list of what waits. */
  deciders: 50,
  /** People who are asked by name about one call. */
  referralsKept: 5,
  /** Refused presses kept for the audit, for each approval. */
  refusedPressesKept: 50,
  /** Opinions about the answers of one run. */
  feedbackKept: 200,
  /** Messages of a thread that a new run starts from. */
  transcriptMessages: 40,
  /** Entries of a workspace's journal that are read to find the configuration; beyond, it is written once more. */
  workspaceLookBack: 1_000,
  /** Messages of a person that one append brings into a run. */
  messagesAtOnce: 100,
  /** Files of one message that the agent is shown, and of several that come into a run at once. */
  filesPerMessage: 8,
  /** What the model takes of one picture, of one PDF, and of one text. */
  pictureBytes: 3_700_000,
  documentBytes: 8_000_000,
  textFileBytes: 400_000,
  /** Pictures and documents of one request, in base64. Older ones are left out and named. */
  mediaChars: 20_000_000,
  /** Slack lets a status line go out after two minutes. */
  statusRenewMs: 90_000,
  /** What is whole sooner is posted whole; anything slower can be read while it is written. */
  readAlongAfterMs: 700,
  /** Longer inputs become an item of the run, so that an entry stays small. */
  inlineInputChars: 2_000,
  /** Open questions that are looked up for one person at a time. */
  waitingShown: 20,
  /** The latest answers that one person is shown, how far back they are looked for, and how many of a day are read. */
  settledShown: 8,
  suggestAfter: 5,
  settledDays: 7,
  settledRead: 50,
  /** What a person may answer in place of a tool. */
  answerChars: 3_000,
  /** A person's no counts for the same call in the next runs of the thread, too. */
  afterDenialMs: 3 * 60 * 1000,
  /** What a person may add to a refusal. */
  reasonChars: 1_000,
  /** SIGTERM: turns get this long to reach a safe point. */
  shutdownMs: 20_000,
} as const;
