import type { MessagesRequest } from '../../model/request.ts';
import { play } from '../kit/play.ts';

export const files = play({
  about: 'The agent says which files reached it.',
  example: 'hello, with a picture, a PDF or a text',
  begins: /\[file: /,
  says: (request) => `I can see ${seen(request)}. I am only a script, so that is all I can say about it.`,
  next: 'Attach a picture with the button beside Send.',
});

/** What kinds of media the request holds, as a proof that they arrived. */
function seen({ body }: MessagesRequest): string {
  const kinds = JSON.stringify(body).match(/"type":"(?:image|document)","source"/g) ?? [];
  const pictures = kinds.filter((kind) => kind.includes('image')).length;
  const documents = kinds.length - pictures;
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return `${count(pictures, 'picture')} and ${count(documents, 'document')}`;
}
