import type { ModalView } from '@slack/types';
import type { Approval } from '../../../app/records/index.ts';
import { toolName } from '../card/call.ts';
import { fallback, join, type MessageView, type Mrkdwn, mention, mrkdwn, section } from '../kit/blocks.ts';
import { FIELD } from '../kit/forms.ts';
import { linkTo } from '../pages/waiting-view.ts';
import { calledTool, type FormMemory, form, personField } from './form.ts';

/** The form to choose whom to ask. It gives that person no right. */
export function referModal(approval: Approval, memory: FormMemory): ModalView {
  return form('approval_refer', { submit: 'Ask', memory }, [
    ...calledTool(approval),
    personField(
      FIELD.person,
      'Who should decide?',
      'I mention them in the thread. They must be one of those who may decide: asking does not give them that right.',
    ),
  ]);
}

/** The note that calls the person, in the thread of the card. */
export function referredNote({ tool, card, thread }: Approval, by: string, to: string): MessageView {
  const asks = mrkdwn`${mention(by)} asks ${mention(to)} to decide about \`${toolName(tool)}\`.`;
  const line = join([asks, ...linkTo(card, thread)], ' ');
  return { text: fallback(asks), blocks: [section('asks', line)] };
}

/** The line of the card that says who was asked by name. */
export function referredLine({ referred }: Approval): readonly Mrkdwn[] {
  return referred.length === 0
    ? []
    : [
        mrkdwn`Also asked: ${join(
          referred.map(({ to }) => mention(to)),
          ', ',
        )}.`,
      ];
}
