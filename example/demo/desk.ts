import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { note } from '../services.ts';

/** As the bot calls it. */
const TOOL = 'desk__book_room';

/** The front desk: a tool server, which is a program of its own. It asks for the room in the middle of a call. */
const server = new Server({ name: 'desk', version: '1' }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    {
      name: 'book_room',
      description: 'Books a meeting room. The desk asks which one.',
      inputSchema: { type: 'object' as const, properties: { purpose: { type: 'string' } }, required: ['purpose'] },
    },
  ],
}));

server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  note({ step: 'begun', tool: TOOL, input: params.arguments });
  const answer = await server.elicitInput(
    {
      message: 'Which room shall it be?',
      requestedSchema: {
        type: 'object',
        properties: {
          room: { type: 'string', title: 'Room', enum: ['Maple', 'Birch'] },
          people: { type: 'integer', title: 'People', minimum: 1, maximum: 20 },
        },
        required: ['room', 'people'],
      },
    },
    { timeout: AS_LONG_AS_THE_BOT_ASKS_MS },
  );
  if (answer.action === 'decline') return said('No room was booked, because the question was declined.');
  if (answer.action === 'cancel') return said('No room was booked, because the question was not answered.');
  const { room, people } = answer.content ?? {};
  note({ step: 'done', tool: TOOL, input: params.arguments });
  return said(
    `${room} is booked for ${params.arguments?.purpose}, with ${people} ${people === 1 ? 'person' : 'people'}.`,
  );
});

/** Without it, the SDK of the server gives a person one minute. */
const AS_LONG_AS_THE_BOT_ASKS_MS = 11 * 60 * 1000;

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });

await server.connect(new StdioServerTransport());
process.stdin.on('end', () => process.exit(0));
