import type { DemoPage } from '../../support/demo-page.ts';
import { guestGetsNoAnswer, type PlayedTwice, refusedFor } from './play.ts';

/** The bot says it once, and not again for a while. */
const TOLD = 'full members of this workspace';

export const TALK: readonly PlayedTwice[] = [
  {
    example: 'call restart_service {"service":"mail"}',
    decided: [
      'a call that a person spells out is asked about like any other, and denied by Ann',
      async (demo) => {
        await demo.write('call restart_service {"service":"mail"}');
        await demo.button('Deny').click();
        await demo.sees('Understood, I left the mail service alone.');
      },
    ],
    refused: [
      'a call that a person spells out is not approved by Zoe',
      refusedFor('call restart_service {"service":"mail"}', ['Zoe']),
    ],
  },
  {
    example: 'status',
    decided: ['a look at the status asks no person', answered('status', 'This is what I see:')],
    refused: ['a guest who asks for the status is told that only members may ask', refusedToGuest('status', TOLD)],
  },
  {
    example: 'explain how you work',
    decided: ['Ann hears how the agent works', answered('explain how you work', 'What was shown is what runs.')],
    refused: ['a guest does not hear how the agent works', refusedToGuest('explain how you work')],
  },
  {
    example: 'hello, with a picture, a PDF or a text',
    decided: [
      'the agent says which files of Ann reached it',
      async (demo) => {
        await sendPicture(demo, 'Ann');
        await demo.sees('I can see 1 picture and 0 documents.');
      },
    ],
    refused: [
      'a file of a guest does not reach the agent',
      async (demo) => {
        await sendPicture(demo, 'Gil, guest');
        await guestGetsNoAnswer(demo, 'dot.png');
      },
    ],
  },
  {
    example: 'hello',
    decided: ['Ann is greeted', answered('hello', 'Hello! Ask me to restart a service, or for its status.')],
    refused: ['a guest is not greeted', refusedToGuest('hello')],
  },
];

function refusedToGuest(example: string, told?: string) {
  return async (demo: DemoPage): Promise<void> => {
    await demo.write(example, 'Gil, guest');
    // Slack shows no private answer in a thread without a reply, so it stands in the channel.
    if (told !== undefined) await demo.page.getByText(told).first().waitFor();
    await guestGetsNoAnswer(demo, example);
  };
}

function answered(example: string, words: string) {
  return async (demo: DemoPage): Promise<void> => {
    await demo.write(example);
    await demo.sees(words);
  };
}

async function sendPicture(demo: DemoPage, name: string): Promise<void> {
  await demo.begin(name);
  const files = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(ONE_PIXEL, 'base64') };
  await demo.page.getByLabel(/^Attach files: Message #ops/).setInputFiles(files);
  await demo.say('@countersign hello, look at this');
}

const ONE_PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
