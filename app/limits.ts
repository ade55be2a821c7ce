/** Every bound of the bot. A loop, a queue or a text without an entry here is a bug. */
export const LIMITS = {
  /** A model that has not finished by then is going in circles. */
  turnsPerRun: 24,
  toolCallsPerTurn: 60,
  /** A run that starts more calls, open ones included, asks more questions, or makes the model read and write more tokens stops. */
  callsPerRun: 600,
  cardsPerRun: 240,
  tokensPerRun: 20_000_000,
  /** Up to this many questions of a turn have a card each. More questions share list cards of at most `rowsPerCard` rows. */
  cardsPerTurn: 3,
  rowsPerCard: 10,
  /** How long the first questions of a turn wait for the others, to share one card with them. */
  gatherMs: 1_000,
  /** Longer tool outputs are cut; the model is told so. */
  toolOutputChars: 20_000,
  /** A person could still review an input of this size page by page. Larger ones are refused before people are asked. */
  toolInputBytes: 1_000_000,
  /** Lists, objects, texts, numbers and so on in one input. More of them block other work while they are read. */
  toolInputValues: 5_000,
  /** After a day without an answer the approval expires. That is not a denial. */
  approvalLifetimeMs: 24 * 60 * 60 * 1000,
  /** Questions that a tool server may have open in one call. */
  inquiriesPerCall: 5,
  /** The call of a tool server waits ten minutes for a person. The question ends earlier, so that its card can say why. */
  inquiryLifetimeMs: 9.5 * 60 * 1000,
  /** A longer form could not be shown, so it is not stored either. */
  inquirySchemaChars: 20_000,
  /** A longer wait gives its memory back, and goes on from the journal when it is decided. */
  hotMs: 10 * 60 * 1000,
  /** With more waiting runs in one process, the one that has waited longest gives its memory back at once. */
  hotRuns: 25,
  /** How long a thread belongs to the process that advances it. That process renews it well within this time. */
  leaseMs: 5_000,
  /** After so many deaths in a row of processes that advanced a run, with which it got no further, the run is set aside. */
  deathsPerRun: 2,
  /** For so long no other run with which a process died is advanced beside such a run, unless it gets further before. */
  suspectMs: 10_000,
  /** How long a begun post is left to its process, and to Slack: less than a lease, so that a process that takes over need not wait. */
  postPatienceMs: 4_000,
  /** After this, another process takes up a decision that no process was waiting for. */
  graceMs: 100,
  /** A call that ends sooner is not shown as running, which saves a painting of its card. */
  showRunningMs: 300,
  /** How often a process tries again to write the result of a call that the store refused. */
  rewriteAfterMs: 1_000,
  /** How often each process looks for what is due. */
  sweepMs: 500,
  /** How long a notice to an approver waits: by then the card is posted, and a quick answer needs no notice. */
  noticeAfterMs: 2_000,
  /** A lost hint costs at most this. */
  reconcileMs: 15_000,
  claimsPerSweep: 50,
  /** Threads that one process advances at a time. Those that wait for people do not count. */
  threadsAtOnce: 100,
  /** A thread that is due for longer, and that the queue does not hand out, is taken without the queue. */
  queuePatienceMs: 3_000,
  /** How often a run that only a newer version of the bot can read comes up again in an older process. */
  newerApartMs: 5_000,
  /** For this many such runs, a process remembers that it has logged this. */
  newerKnown: 10_000,
  /** A failed send to Slack is repeated after this, then after twice as long, up to `retryApartMs`; after `retryForMs` it is given up. */
  retryAfterMs: 5_000,
  retryApartMs: 5 * 60 * 1000,
  retryForMs: 24 * 60 * 60 * 1000,
  retriesKnown: 10_000,
  /** For so long the write of a press waits behind other writes of this process to the same run. */
  turnMs: 300,
  /** How many times a writer that met another writer reads and decides again. */
  appendAttempts: 20,
  /** Characters of the lines and items of runs that a process keeps folded. The run used longest ago goes first. */
  foldedChars: 4_000_000,
  /** How long a function of the deployment may take to name the approvers of a call. */
  findApproversMs: 3_000,
  /** How long a question waits until Slack tells about people. The gate fails where a handler takes 30 s. */
  lookUpMs: 10_000,
  /** How often all approvers who are named in the configuration are looked up. */
  approversLookMs: 24 * 60 * 60 * 1000,
  /** People and groups who are named to decide about one call. The store has a list of open questions for each. */
  deciders: 50,
  /** People who are asked by name about one call. */
  referralsKept: 5,
  /** Refused presses kept for the audit, for each approval. */
  refusedPressesKept: 50,
  /** Opinions about the answers of one run. */
  feedbackKept: 200,
  /** Messages of a thread that a new run starts from. */
  transcriptMessages: 40,
  /** Entries of a workspace's journal that are read to find the configuration. If it is older, it is written once more. */
  workspaceLookBack: 1_000,
  /** Entries at the beginning of a workspace's journal in which its team is looked for. */
  workspaceHead: 100,
  /** Threads without a record that a process searches for posts of its own in a minute. A later message is looked at again. */
  lostSearchesAMinute: 10,
  /** Threads that a process remembers to hold no post of its own. */
  threadsOfOthers: 10_000,
  /**
   * How old the answer of Slack may be by which the author of a message may ask. Slack answers a hundred times in a minute, and the
   * presses of the workspace wait for the same answers. A press is judged by a newer one.
   */
  askerKeptMs: 60_000,
  /** Messages of a person that one append brings into a run. */
  messagesAtOnce: 100,
  /** Files that the agent is shown of one message, and of several that join a run at once. */
  filesPerMessage: 8,
  /** What the agent is given of one forwarded message. */
  forwardedChars: 12_000,
  /** All of these files together. More of them block other work while they are stored. */
  filesBytes: 5_000_000,
  /** The largest picture and text file that the model accepts. */
  pictureBytes: 3_700_000,
  textFileBytes: 400_000,
  /** Pictures and documents of one request, in base64. Older ones are left out and named. */
  mediaChars: 20_000_000,
  /** Slack removes a status line after two minutes. */
  statusRenewMs: 90_000,
  /** A reply that is complete sooner is posted whole. A slower one can be read while it is written. */
  readAlongAfterMs: 700,
  /** Longer inputs become an item of the run, so that an entry stays small. */
  inlineInputChars: 2_000,
  /** The messages that a process took last, so that it knows the second delivery of one. */
  latestMessages: 100,
  /** For this many questions of lists, a process remembers the run. */
  listedKnown: 5_000,
  /** The records of approved calls that ran, which a process keeps for the lists of answers. */
  ranKnown: 2_000,
  /** Open questions that one person is shown, the oldest first. */
  waitingShown: 20,
  /** Entries of a list of one person that are read to find the oldest, or of one day to find the newest. */
  listRead: 500,
  /** The latest answers that one person is shown. They are searched in `settledDays` days. */
  settledShown: 8,
  suggestAfter: 5,
  /** Answers of a day that are read to suggest a rule with a question. */
  suggestRead: 50,
  settledDays: 7,
  /** Runs that ended unheard, and calls with a suggested rule, that are read for one person. */
  notesRead: 50,
  /** The answer of a person in place of a tool. */
  answerChars: 3_000,
  /** For this long, a denial also counts for the same call in the next runs of the thread. */
  afterDenialMs: 3 * 60 * 1000,
  /** The sentence of a trust for which a person chose parts of the input. It is never cut. */
  trustLineChars: 320,
  /** The reason that a person may add to a denial. */
  reasonChars: 1_000,
  /** After SIGTERM, turns get this long to reach a safe point. */
  shutdownMs: 20_000,
  /** Over HTTP, a stopping process still takes deliveries for this long. Most platforms kill it after 30 s. */
  deliveriesWhileStoppingMs: 5_000,
  deliveriesWhileStoppingMostMs: 10_000,
} as const;

/** The beginning of what a person typed. Slack counts characters, and one may have two units. */
export function upTo(chars: number, text: string): string {
  return text.length <= chars ? text : [...text].slice(0, chars).join('');
}
