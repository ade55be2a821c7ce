/** What is always true of the journal, the approvals, the calls and the messages, whatever happens to the processes. */
const ALWAYS = {
  D1: 'A call that needs a person has one approved decision for its bytes in the journal, before each time it ran.',
  D2: 'One call runs at most once.',
  D3: 'Each start is followed by its end, or by unknown and then at most one word on what became of it.',
  D4: 'An approval has at most one final state, which never changes.',
  D5: 'A final state that a person saw is in the journal, and a refused press changed nothing.',
  D6: 'A denied, expired or cancelled call did not run, and the model was told why.',
  D7: 'An approval has at most one card with live buttons, and none after its final state.',
  D8: 'Each Slack message is in one journal, once, and in order.',
  D9: 'Each run ends, waits for a person, or says that it failed, and none is forgotten.',
  D10: 'The journal of a run is a prefix of every later reading of it.',
  D11: 'The model is called at most once for each answered turn.',
  D12: 'The final reply of a run is posted once.',
  D13: 'An append that was acknowledged is there after any process dies.',
  D14: 'No decision depends on the clock of a replica.',
  D15: 'All of these hold when hints, jobs, timers and warm state are lost at random.',
} as const;

/** The bot is killed between two steps. */
const KILLED = {
  FK1: 'Killed with a delivery that is not stored: Slack sends it again, and there is one run.',
  FK2: 'Killed with a delivery that is stored and not acknowledged: the duplicate is ignored.',
  FK3: 'Killed after the acknowledgement, before there is a job: a sweep starts the run.',
  FK4: 'Killed with a job and no message in the journal: another process takes it over.',
  FK5: 'Killed with the message in the journal: it is there once, and the inbox is empty.',
  FK6: 'Killed in the middle of an answer of the model: the turn is called again, and nothing half is kept.',
  FK7: 'Killed after an answered turn: the model is not called again.',
  FK8: 'Killed after asking: one card is posted.',
  FK9: 'Killed before the receipt of a posted card: the same card is found, and none is added.',
  FK10: 'Killed before the wait begins: the approval waits.',
  FK11: 'Killed while a card waits: a press on another replica runs the call, with no grace to wait for.',
  FK12: 'Killed everywhere while a card waits: a press at the first start runs the call.',
  FK13: 'Killed with a press that is acknowledged and not stored: the card is live, and pressing again works.',
  FK14: 'Killed after a stored decision, before any hint: the run goes on without the hint.',
  FK15: 'Killed with a hint that woke no waiter: the run goes on.',
  FK16: 'Killed after the decision, before the start: the call starts once.',
  FK17: 'Killed after the start, before the tool begins: the end is unknown, and a person is asked.',
  FK18: 'Killed after the tool, before its end is stored: unknown, and a tool that may run again has its old key.',
  FK19: 'Killed after the end is stored: the model hears the result, and the tool does not run again.',
  FK20: 'Killed with a reply that is posted and not recorded: there is one reply.',
  FK21: 'Killed at the end of a run that got a message meanwhile: a new run starts.',
  FK22: 'Killed at a step of expiry, stop, edit, trust, vote, snapshot or retention: what the journal says holds.',
  FK23: 'Killed again at the same step of the same run: it goes on.',
  FK24: 'Killed at a step of a shutdown: as without the shutdown.',
  FK25: 'Killed with one call finished, one started and one waiting: done, unknown and waiting.',
} as const;

/** The bot stands still for longer than it may hold a thread, and another one goes on. */
const PAUSED = {
  FP1: 'A process that wakes up late is stopped by its first append.',
  FP2: 'Paused between the decision and the start: the tool runs once.',
  FP3: 'Paused inside a tool: unknown, then finished late, and the tool ran once.',
  FP4: 'Paused while the model answers: there is one reply.',
  FP5: 'Blocked by its own work: as for the other pauses.',
} as const;

const REDIS = {
  FR1: 'Redis is restarted: the bot goes on without a restart of its own.',
  FR2: 'Redis is killed under load: no acknowledged append is missing.',
  FR3: 'The connection is cut before a command arrives: it is sent again, and counts once.',
  FR4: 'The connection is cut before the reply arrives: the append counts once.',
  FR5: 'The connection for commands is silent: a press is answered with *not recorded*, and the link is replaced.',
  FR6: 'The connection for hints is silent: it is noticed, and nothing is lost.',
  FR7: 'Every hint is lost: sweep and reconcile do all of the work.',
  FR8: 'Hints are late, doubled, out of order, unknown or malformed: they are ignored.',
  FR9: 'Each command is slow: acknowledgements are in time, and nothing is doubled.',
  FR10: 'The cache of scripts is emptied: the bot goes on.',
  FR11: 'A replica takes over, or a slot of the cluster moves: what was promised of them holds.',
  FR12: 'Redis is out of memory: questions fail closed and say so, and the bot goes on afterwards.',
  FR13: 'Redis is away, at the start or for minutes: the bot waits, is not ready, and goes on.',
  FR14: 'Redis may evict keys: refused. Redis keeps no append-only file: warned about.',
  FR15: 'Redis is set back: a press on an unknown approval is refused, and its buttons go.',
  FR16: 'All keys of the queue or all timers are deleted: the sweep restores the work.',
} as const;

const SLACK = {
  FS1: 'The same delivery arrives several times, at once or a day later: it acts once.',
  FS2: 'A mention arrives as two events: there is one run.',
  FS3: 'One person presses twice, or presses two buttons: the first press counts.',
  FS4: 'Two people press opposite buttons on two replicas: one wins, and both are told.',
  FS5: 'Slack says 429: the bot waits as it is told, others go on, and nothing is doubled.',
  FS6: 'Slack fails or refuses the connection: the request is repeated with growing pauses.',
  FS7: 'Slack takes a post and its reply is lost: there is one card.',
  FS8: 'A socket is dropped, or two are open: nothing is lost.',
  FS9: 'A card is deleted, a channel closed or a token revoked: cancelled or shown again, and never approved.',
  FS10: 'Deliveries arrive out of order, or a press before the receipt of its card: they work.',
} as const;

const MODEL = {
  FM1: 'The model is overloaded or fails: retries are bounded, the thread is told, and a later message works.',
  FM2: 'The stream of the model is cut at any event: nothing half is kept.',
  FM3: 'The model is silent for minutes: the call ends, as for a failure.',
  FM4: 'The model sends broken JSON, an unknown tool, an id twice or a hundred calls: it gets errors, and ids are unique.',
} as const;

const TIME_AND_REPLICAS = {
  FT1: 'The clocks of replicas are wrong: expiry goes by the clock of the store.',
  FT2: 'The clock of the store jumps: forward expires, back waits longer, and neither approves.',
  FT3: 'A press comes at the instant of expiry: one of the two wins.',
  FN1: 'Two replicas advance one thread: one goes on, and the other stops.',
  FN2: 'Four replicas are replaced one by one: nothing waits long.',
  FN3: 'Replicas are killed one after the other: nothing runs unapproved or twice, and nothing is lost.',
  FN4: 'An old and a new version run side by side: each reads what it may, and leaves the rest alone.',
  FN5: 'Ten thousand approvals wait at a start: the bot is ready as soon, and any press works.',
  FN6: 'Fifty thousand approvals wait in one process: each costs little, and a press wakes its own.',
} as const;

export const DURABILITY = {
  ...ALWAYS,
  ...KILLED,
  ...PAUSED,
  ...REDIS,
  ...SLACK,
  ...MODEL,
  ...TIME_AND_REPLICAS,
} as const;
