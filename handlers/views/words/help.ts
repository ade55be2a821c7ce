import { join, type Mrkdwn, mrkdwn } from '../kit/blocks.ts';

/** What the commands and the words in a thread do. */

/** `prefix` stands between `/` and the name of each command. */
export function commandHelp(prefix: string): Mrkdwn {
  const name = `/${prefix}`;
  return join(
    [
      mrkdwn`\`${name}trust &lt;tool&gt; [me|channel] [30m|1h|1d]\` lets a tool that you alone could approve run without asking: \`me\` whenever you are the one who asks, \`channel\` for all in this channel if you are one of its named approvers. If you name neither, I take the first that you may give; if you name no time, one hour. A guarded tool asks every time.`,
      mrkdwn`\`${name}untrust &lt;tool|all&gt; [me|channel]\` ends that trust, in the threads of this channel as well.`,
      mrkdwn`\`${name}trusted\` lists what is trusted here, and by you elsewhere, with who trusted it and until when.`,
      mrkdwn`\`${name}approvals\` lists what waits for your answer in any thread, and \`${name}approvals log\` what you answered lately or others answered for you.`,
      mrkdwn`In a thread, mention me with the same words: \`trust &lt;tool&gt;\`, \`untrust &lt;tool&gt;\`, \`trusted\`, \`approvals\`, \`usage\`, \`stop\`, \`try again\`.`,
    ],
    '\n',
  );
}

export const THREAD_HELP = join(
  [
    mrkdwn`Mention me and say what you need. I ask here before I use a tool that needs a yes.`,
    mrkdwn`\`trust &lt;tool&gt; [here|channel|me] [30m|1h|1d]\` lets a tool that you alone could approve run without asking: \`here\` in this thread if you began it or are one of its named approvers, \`channel\` for all in this channel if you are one of them, \`me\` whenever you are the one who asks. If you name no place, it is this thread; if you name no time, one hour. A guarded tool asks every time.`,
    mrkdwn`\`untrust &lt;tool|all&gt;\` ends that trust, and \`trusted\` lists it.`,
    mrkdwn`\`approvals\` lists what waits for your answer. Only you see the list.`,
    mrkdwn`\`usage\` tells you how much of the model this thread has used, and what it cost.`,
    mrkdwn`\`stop\` ends what is running in this thread.`,
    mrkdwn`\`try again\` lets me go on in a thread that I set aside because I crashed twice in it.`,
  ],
  '\n',
);
