import { z } from 'zod';
import { defineConfig, defineTool, secret } from '../../app/index.ts';

const input = z.object({ login: secret(z.string()) });
const open = { input, effect: 'open', because: 'It touches nothing.' } as const;

/** Tools that fail in every way that a tool can fail in. */
export default defineConfig({
  tools: [
    defineTool({
      ...open,
      name: 'throws',
      description: 'Throws.',
      run: ({ login }, { log }) => {
        log(`I try ${login}.`);
        throw new RangeError(`No such login: ${login}`);
      },
    }),
    defineTool({
      ...open,
      name: 'never_ends',
      description: 'Never ends.',
      timeoutMs: 200,
      run: () => new Promise<string>(() => {}),
    }),
    defineTool({
      ...open,
      name: 'cuts_an_emoji',
      description: 'Cuts its result in the middle of an emoji.',
      run: () => 'Done 👍'.slice(0, -1),
    }),
    defineTool({
      name: 'cannot_be_described',
      description: 'Says nothing about its calls.',
      input,
      summarise: () => {
        throw new TypeError('No summary today.');
      },
      preview: ({ login }) => Promise.reject(new Error(`No preview for ${login}.`)),
      run: () => 'It ran.',
    }),
    defineTool({
      name: 'previews_a_number',
      description: 'Gives a number as its preview, as a deployment in plain JavaScript may.',
      input,
      preview: () => JSON.parse('42'),
      run: () => 'It ran.',
    }),
    defineTool({
      name: 'cannot_look',
      description: 'Cannot see how things stand.',
      input,
      precondition: () => {
        throw new Error('The service does not answer.');
      },
      run: () => 'It ran.',
    }),
  ],
});
