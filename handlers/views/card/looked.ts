import type { KnownBlock } from '@slack/types';
import type { Approval } from '../../../app/records/index.ts';
import { letters, paragraph } from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { blockId, type Granted } from './call.ts';

/**
 * What the call rests on: how things stand now, as the tool found them, and what would change. A call that was approved before
 * and did not run says what has changed since.
 */
export function lookedBlocks(approval: Approval): readonly KnownBlock[] {
  const { preview = '', precondition, was } = approval;
  const id = (part: string): string => blockId(approval, part);
  const now = precondition?.text ?? '';
  return [
    ...(was === undefined ? [] : said(id('was'), BEFORE, was, SHOWN.previewChars)),
    ...said(id('is'), 'Right now: ', now, was === undefined ? SHOWN.nowChars : SHOWN.previewChars),
    ...said(id('preview'), 'Would change: ', preview, SHOWN.previewChars),
  ];
}

const BEFORE = 'It was approved before, and did not run because this has changed. It was: ';

function said(id: string, label: string, text: string, chars: number): readonly KnownBlock[] {
  return text.trim() === '' ? [] : [paragraph(id, [letters(label, 'italic'), { text: text.trim(), chars }])];
}

/** Why a yes counts no more. */
export function voidNote({ outdated }: Granted): string | undefined {
  return outdated === undefined ? undefined : `Not run: ${CHANGED[outdated]} changed first, so I asked again.`;
}

const CHANGED = { world: 'what it rests on', rules: 'the tool or the rules for it' } as const;
