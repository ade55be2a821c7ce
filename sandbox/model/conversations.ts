import { type Answer, type AnswerPart, call, text } from './answer.ts';
import { closing, exceptions, isPlain } from './closing.ts';
import { HOSTILE } from './hostile.ts';
import { hear } from './outcome.ts';
import { ASKING, DROPPING, LOOKING, OLD_DATABASE, REPORTING, RESTARTING, restarted } from './phrases.ts';
import type { MessagesRequest, ToolResult } from './request.ts';
import { formInWords, listInWords } from './results.ts';

/** A written conversation: whether it is meant, and what is said next, both decided by the request alone. */
export interface Conversation {
  /** What a person writes to begin it, as it is offered to people. */
  readonly example: string;
  readonly begins: (said: string) => boolean;
  readonly play: (request: MessagesRequest) => Answer;
}

const SERVICES = ['payments', 'search', 'mail'];
const FLEET = ['payments', 'search', 'billing', 'mail'];

export const CONVERSATIONS: readonly Conversation[] = [
  {
    example: 'ask me with a form how to restart',
    begins: (said) => /\bask me with a form\b/i.test(said),
    play: (request) =>
      withTools(request, {
        opening: 'I need to know a few things.',
        calls: [
          call('ask_person', {
            question: 'How may I restart the payments service?',
            form: {
              type: 'object',
              properties: {
                when: { type: 'string', enum: ['Now', 'Tonight'], title: 'When' },
                minutes: { type: 'integer', minimum: 1, maximum: 60, title: 'For how long, in minutes' },
                tellUsers: { type: 'boolean', title: 'Tell its users' },
                note: { type: 'string', title: 'What to tell them', maxLength: 200 },
              },
              required: ['when', 'minutes', 'tellUsers'],
            },
          }),
        ],
        closing: ([result]) => answerHeard(result),
      }),
  },
  {
    example: 'ask me when to restart',
    begins: (said) => /\bask me\b/i.test(said),
    play: (request) =>
      withTools(request, {
        opening: 'I need to know one thing.',
        calls: [
          call('ask_person', {
            question: 'When may the payments service go away for a minute?',
            choices: ['Now', 'Tonight'],
          }),
        ],
        closing: ([result]) => answerHeard(result),
      }),
  },
  {
    example: 'restart everything',
    begins: (said) => /restart (everything|all)/i.test(said),
    play: (request) =>
      withTools(request, {
        opening: 'I will restart all three services.',
        calls: SERVICES.map((service) => call('restart_service', { service })),
        closing: (results) => {
          if (results.every((result) => isPlain(hear(result)))) {
            return `Done. All ${results.length} services were restarted.`;
          }
          const done = restarted(results);
          const first = done.length === 0 ? 'Understood. What became of them:' : `Restarted: ${done.join(', ')}.`;
          return `${first}\n${exceptions(results, RESTARTING)}`;
        },
      }),
  },
  {
    example: 'restart the fleet',
    begins: (said) => /restart the (whole )?fleet/i.test(said),
    play: (request) =>
      withTools(request, {
        opening: 'I will restart the whole fleet, one service after the other.',
        calls: FLEET.map((service) => call('restart_service', { service })),
        closing: (results) => {
          const done = results.filter((result) => hear(result).outcome.type === 'ran').length;
          return `The fleet: ${done} of ${results.length} restarts are done.\n${exceptions(results, RESTARTING)}`;
        },
      }),
  },
  {
    example: 'restart the payments service',
    begins: (said) => /\brestart\b/i.test(said),
    play: (request) => {
      const service = /restart (?:the )?([\w-]+)/i.exec(request.said)?.[1]?.toLowerCase() ?? 'payments';
      return withTools(request, {
        opening: `I will restart the ${service} service.`,
        calls: [call('restart_service', { service })],
        closing: ([result]) => closing(result, RESTARTING),
      });
    },
  },
  {
    example: 'status',
    begins: (said) => /\bstatus\b/i.test(said),
    play: (request) =>
      withTools(request, {
        opening: 'Let me look.',
        calls: [call('service_status', { service: 'payments' })],
        closing: ([result]) => statusSeen(result),
      }),
  },
  {
    example: 'drop the old database',
    begins: (said) => /\bdrop\b.*\bdatabase\b/i.test(said),
    play: (request) =>
      withTools(request, {
        opening: 'I will drop the old database. This cannot be undone.',
        calls: [call('drop_database', { database: OLD_DATABASE })],
        closing: ([result]) => closing(result, DROPPING),
      }),
  },
  {
    example: 'hostile',
    begins: (said) => /\bhostile\b/i.test(said),
    play: (request) =>
      withTools(request, {
        opening: 'I will run the report.',
        calls: [call('run_report', { query: HOSTILE })],
        closing: ([result]) => closing(result, REPORTING),
      }),
  },
  {
    example: 'explain how you work',
    begins: (said) => /\b(explain|long)\b/i.test(said),
    play: () =>
      [
        '## How I work\n\n',
        'I answer in this thread. When I want to do something that *changes* anything, I ask first:\n\n',
        '1. You see **what** I want to run, with every detail.\n',
        '2. A person **approves** or **denies**.\n',
        '3. Only then it runs, and it runs **once**.\n\n',
        'Looking at things is free:\n\n```\nservice_status payments\n```\n\n',
        '> What was shown is what runs.\n',
      ].join(''),
  },
  {
    example: 'hello, with a picture, a PDF or a text',
    begins: (said) => /\[file: /.test(said),
    play: (request) => `I can see ${seen(request)}. I am only a script, so that is all I can say about it.`,
  },
  {
    example: 'hello',
    begins: (said) => /\b(hello|hi|hey)\b/i.test(said),
    play: () => 'Hello! Ask me to restart a service, or for its status.',
  },
];

/** What kinds of media the request holds, as a proof that they arrived. */
function seen({ body }: MessagesRequest): string {
  const kinds = JSON.stringify(body).match(/"type":"(?:image|document)","source"/g) ?? [];
  const pictures = kinds.filter((kind) => kind.includes('image')).length;
  const documents = kinds.length - pictures;
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return `${count(pictures, 'picture')} and ${count(documents, 'document')}`;
}

/** What is said when nothing else fits. */
export function whatICanPlay(conversations: readonly Conversation[]): Answer {
  const examples = conversations.map(({ example }) => `- ${example}`).join('\n');
  return `I am a script, so I know only a few conversations. Try one of these:\n\n${examples}`;
}

interface Scene {
  readonly opening: string;
  readonly calls: readonly AnswerPart[];
  readonly closing: (results: Results) => string;
}

/** There is at least one. */
type Results = readonly [ToolResult, ...ToolResult[]];

/** Asks for the tools first, and closes when they have answered. Only tools that the request offers are called. */
function withTools(request: MessagesRequest, scene: Scene): Answer {
  const [first, ...others] = request.results;
  if (first !== undefined) return scene.closing([first, ...others]);
  const offered = scene.calls.filter((part) => part.type === 'tool_use' && request.tools.includes(part.name));
  if (offered.length > 0) return { content: [text(scene.opening), ...offered] };
  const wanted = scene.calls.flatMap((part) => (part.type === 'tool_use' ? [part.name] : []));
  return `I would use ${[...new Set(wanted)].join(', ')} for that, but I was not given it.`;
}

/** What a tool that only looks returned, or why it returned nothing. */
function statusSeen(result: ToolResult): string {
  const { outcome } = hear(result);
  return outcome.type === 'ran' ? `This is what I see:\n\n${listInWords(outcome.text)}` : closing(result, LOOKING);
}

/** A choice or free words come as a person's words; the answer to a form comes as the result itself. */
function answerHeard(result: ToolResult): string {
  const { outcome } = hear(result);
  if (outcome.type === 'answered') return `Understood. I heard: ${outcome.words}`;
  if (outcome.type === 'ran') return `Understood. I heard: ${formInWords(outcome.text, result.input)}`;
  if (outcome.type === 'expired') return 'Understood. I asked, and no answer came in time.';
  return closing(result, ASKING);
}
