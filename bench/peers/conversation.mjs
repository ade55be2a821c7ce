/** What is the same for all peers: the words of a conversation, and how many calls the model makes. */

export const TOOL = 'deploy';
export const DESCRIPTION = 'Deploys.';
export const WISH = 'Deploy it.';
export const DONE = 'Done.';

/** A conversation of `length` messages. The bot wrote the last one, so that a person may write the next. */
export function history(length) {
  return Array.from({ length }, (_, index) => ({
    role: (length - index) % 2 === 0 ? 'user' : 'assistant',
    text: `Message ${index} of a conversation that has been going on for a while.`,
  }));
}

/** What the instant model says: a call while there are calls left, and then that it is done. */
export function script() {
  let left = 0;
  let ids = 0;
  return {
    begin: (calls) => {
      left = calls;
    },
    next: () => {
      if (left === 0) return undefined;
      left -= 1;
      ids += 1;
      return { id: `call_${ids}`, name: TOOL, input: { to: 1 } };
    },
  };
}
