import { breaking, type Sabotage } from './breaking.ts';
import { OF_EDGES } from './sabotage-of-edges.ts';
import { OF_SECRETS } from './sabotage-of-secrets.ts';
import { OF_WORDS } from './sabotage-of-words.ts';

const START = 'app/journal/decide/start.ts';
const DECIDE = 'app/journal/decide/decide.ts';
const DOOR = 'handlers/web/door.ts';

const OF_DECISIONS: readonly Sabotage[] = [
  ...breaking(
    'No grant, no action',
    [
      'a denied call starts',
      START,
      "if (!RUNS.includes(approval.standing.decision.verdict)) return 'a person refused it';",
      '',
    ],
    [
      'an unanswered call starts',
      START,
      "if (approval.standing.status !== 'decided') return 'no person has approved it';",
      "if (approval.standing.status !== 'decided') return undefined;",
    ],
    [
      'any call counts as open',
      START,
      "return effect === 'open' ? undefined : 'the tool is not free to run';",
      'return undefined;',
    ],
    [
      'trust reaches a guarded tool',
      START,
      "return effect === 'asked' ? undefined : 'trust does not reach this tool';",
      'return undefined;',
    ],
    [
      'the tool runs though its start is refused',
      'app/runs/gate/tool-runner.ts',
      "if (result.type === 'refused') {",
      'if (false) {',
    ],
  ),
  ...breaking(
    'What was shown is what runs',
    [
      'the digest is not compared at the start',
      START,
      'if (approvedDigest(approval) !== digest || approval.tool !== tool)',
      'if (approval.tool !== tool)',
    ],
    [
      'the definition is not compared at the start',
      START,
      "return approval.definition === definition ? undefined : 'the tool has changed since it was shown';",
      'return undefined;',
    ],
    [
      'the digest of what was shown stands in for that of what runs',
      'app/runs/gate/tool-runner.ts',
      'const digest = digestText(canonicalCall({ name: tool.name, input }));',
      'const digest = approvalOf(state, call)?.digest ?? digestText(canonicalCall({ name: tool.name, input }));',
    ],
  ),
  ...breaking(
    'Writing into a thread gives no approver a yes to what comes of it',
    [
      'whoever steered may decide',
      'app/authority/rights.ts',
      'barredFrom(rule, facts).includes(presser.user)',
      'false',
    ],
    [
      'only the requester counts as steering',
      'app/journal/fold/queries/steering.ts',
      'return [...authors];',
      'return [requester];',
    ],
  ),
  ...breaking(
    'A guest, a person of another organisation or a bot gives the agent nothing to read',
    ['guests may ask', 'app/who-may-ask.ts', "return who === 'members' ? 'no' : 'yes';", "return 'yes';"],
    [
      'people of other organisations may ask',
      'app/who-may-ask.ts',
      "return who === 'anybody' ? 'yes' : 'no';",
      "return 'yes';",
    ],
    ['bots may ask', 'app/who-may-ask.ts', "return who === 'anybody' ? 'yes' : 'silent';", "return 'yes';"],
    ['their message is taken all the same', 'handlers/door/taking.ts', 'if (why !== undefined) return why;', ''],
  ),
  ...breaking(
    'An edited call runs as it was edited, or not at all',
    [
      'a yes to an edit is good for what was asked',
      'app/journal/fold/queries/approvals.ts',
      "return (standing.status === 'decided' ? standing.decision.edit?.digest : undefined) ?? digest;",
      'return digest;',
    ],
    ['digits that JSON drops are taken', 'app/approvals/edits.ts', 'if (cut.length > 0) return', 'if (false) return'],
    ['a name may stand there twice', 'app/approvals/edits.ts', 'if (namesWritten(text) !== names)', 'if (false)'],
  ),
  ...breaking(
    'Once, on any number of replicas',
    [
      'a decided approval is decided again',
      DECIDE,
      "if (approval.standing.status !== 'pending') return refused(approval, press, 'settled', 'settled before');",
      '',
    ],
    ['a started call is started again', START, "if (!again || !same) return 'it was started before';", ''],
  ),
  ...breaking(
    'A yes ends when what it rests on changes',
    [
      'a changed world is not written down',
      START,
      "if (approvedPrecondition(approval)?.digest === digest) return nothing('holds');",
      "return nothing('holds');",
    ],
    [
      'the world is not compared at the start',
      START,
      'if (outdatedBy(approval) !== undefined || approvedPrecondition(approval)?.digest !== precondition)',
      'if (outdatedBy(approval) !== undefined)',
    ],
  ),
  ...breaking(
    'A yes ends when the rules it was given under do',
    [
      'a press is judged by the old rules alone',
      'app/authority/rights.ts',
      'if (alike && !isLookedUp(now.rule)) return changed;',
      'if (tool !== undefined) return shown;',
    ],
    [
      'the rules are not compared at the start',
      START,
      'if (!judgedAlike(askedUnder(approval, digest), start))',
      'if (false)',
    ],
  ),
  ...breaking(
    'A preview or precondition changes nothing, and has no means to',
    [
      'a preview is handed a key',
      'app/tools/define-tool.ts',
      'preview(checked(input), { signal })',
      "preview(checked(input), Object.assign({ signal }, { key: 'k' }))",
    ],
    [
      'a precondition is handed a thread',
      'app/tools/define-tool.ts',
      'precondition(checked(input), { signal })',
      "precondition(checked(input), Object.assign({ signal }, { thread: 'T1:C1:1.0' }))",
    ],
  ),
  ...breaking(
    'A call with a second factor is decided on the web alone, by its person alone',
    ['a press in Slack decides it', DECIDE, '(approval.secondFactor === true) === (press.onWeb === true) &&', ''],
    [
      'anybody who is signed on opens the link',
      DOOR,
      'if (user === claim.user) return undefined;',
      'return undefined;',
    ],
    [
      'a form of another page is taken',
      DOOR,
      'return headers.origin === new URL(publicUrl).origin &&',
      'return true ||',
    ],
    ['a signature is not checked', 'handlers/web/links.ts', '!equal(signature, sign(body))', 'false'],
  ),
  ...breaking(
    'Opening a link decides nothing',
    [
      'the page decides when it is opened',
      DOOR,
      'const considered = await deps.approvals.consider(id, { user, team });',
      "const considered = await deps.approvals.consider(id, { user, team });\n  await deps.approvals.decide({ approval: id, verdict: 'approve', by: { user, team }, from: { type: 'web', digest } });",
    ],
    [
      'a link is as good as a form',
      'handlers/web/links.ts',
      '!claim.success || claim.data.use !== use',
      '!claim.success',
    ],
  ),
  ...breaking(
    'A removed, reordered or altered entry is found',
    [
      'the chain is not walked',
      'app/keeping/audit/page.ts',
      'if (at === undefined) return undefined;',
      'return undefined;',
    ],
    [
      'the last hash is not compared',
      'app/keeping/audit/verify.ts',
      'return isSealed(text) || hashLine(text) === head',
      'return true',
    ],
    [
      'the length is not compared',
      'app/keeping/audit/verify.ts',
      'if (page.version < version) return',
      'if (false) return',
    ],
  ),
  ...breaking(
    'What was in force is on record',
    [
      'only the first configuration is written',
      'app/keeping/configuration.ts',
      'if (before?.configuration !== now.configuration &&',
      'if (before === undefined &&',
    ],
    [
      'rules are left out',
      'app/keeping/configuration.ts',
      'rules: rules.map(',
      'rules: rules.slice(rules.length).map(',
    ],
    ['limits are left out', 'app/keeping/configuration.ts', 'limits: text(limits),', "limits: '',"],
    ['redaction is left out', 'app/keeping/configuration.ts', 'keys: redact.keys, ', ''],
  ),
  ...breaking(
    'A run that ends its process twice waits for a person, and all else goes on',
    [
      'deaths are not looked at',
      'app/work/claims.ts',
      'if (deaths < LIMITS.deathsPerRun) return advanceAll(',
      'if (deaths > 0) return advanceAll(',
    ],
    [
      'a run that is set aside is due at once',
      'app/store/redis/todo-scripts.ts',
      "redis.call('ZADD', KEYS[1], '+inf', ARGV[1])",
      "redis.call('ZADD', KEYS[1], 0, ARGV[1])",
    ],
  ),
  ...breaking(
    'Only the places a deployment names are ever loaded as code',
    [
      'a file is run in a worker',
      'app/tools/folder/folder.ts',
      "import { importFile, notLoaded } from './import-file.ts';",
      "import { Worker } from 'node:worker_threads';\nimport { importFile, notLoaded } from './import-file.ts';\nexport const inWorker = (file: string) => new Worker(file);",
    ],
    [
      'a file is run by the queue',
      'app/work/redis.ts',
      'new Worker<ThreadKey>(QUEUE, async ({ data }) => claim(data), {',
      'new Worker<ThreadKey>(QUEUE, process.argv[2] ?? claim, {',
    ],
    [
      'a file is imported elsewhere',
      'app/start.ts',
      'const environment = readEnvironment(env);',
      "const environment = readEnvironment(env);\n    await import('/tmp/' + env.MORE);",
    ],
  ),
];

/** What `sabotage.test.ts` breaks, one after the other. */
export const SABOTAGES: readonly Sabotage[] = [...OF_DECISIONS, ...OF_EDGES, ...OF_SECRETS, ...OF_WORDS];
