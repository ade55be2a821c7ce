/** What holds at the edges: the store, the audit, what threads are told, and who is asked. */
export const EDGES = {
  'EDGE-1': 'With a key the store gives away positions, ids, times and names, and none of its texts can be exchanged.',
  'EDGE-2': 'The audit covers what entries refer to, where runs begin, and where trusts end.',
  'EDGE-3': 'Every thread ends with the truth, whatever a store, Slack, a model, a tool or a stop does.',
  'EDGE-4': 'The token of the bot goes to no address but those at which Slack keeps files.',
  'EDGE-7':
    'No text, schema or run of others stops the process: texts are cut and read once, and a poisoned run stands aside.',
  'EDGE-8': 'Who installs the app, what listens, and which tools are pinned holds for all replicas and all ways in.',
  'EDGE-5': 'No yes comes from a person who steered the call, and no trust from or for one who is no member.',
  'EDGE-9': 'The words of the agent and of each person show whose they are, and a link where it goes.',
  'SURF-2':
    'Named approvers are looked up, and a call that no person can approve is not asked: the thread hears the true reason.',
  'SURF-4':
    'A manifest for HTTP or with other commands comes from the same file, and the pages say what to check first.',
  'EDGE-6':
    'A card hides no command: what a pattern or a name hides costs it Approve, and a secret strikes no plain word.',
  'EDGE-10':
    'Defaults bound each run, look-alike letters are named, an old Node is told so, and numbers are sent as shown.',
} as const;
