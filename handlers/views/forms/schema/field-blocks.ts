import type { InputBlock, InputBlockElement, PlainTextOption } from '@slack/types';
import { given } from '../../../../app/given.ts';
import { plain } from '../../kit/blocks.ts';
import { SHOWN, SLACK } from '../../kit/limits.ts';
import { visible } from '../../kit/text.ts';
import { type Field, type FieldKind, optionText } from './fields.ts';

/** The id of a field is its place in the form, because the server's name for it may be anything. */
export function fieldId(place: number): string {
  return `field-${place}`;
}

export function drawField({ label, hint, required, kind }: Field, place: number): InputBlock {
  const words = [hint, rule(kind)].filter((each) => each !== undefined).join(' · ');
  return {
    type: 'input',
    block_id: fieldId(place),
    label: plain(label, SHOWN.noteChars),
    optional: !required,
    ...(words === '' ? {} : { hint: plain(words, SLACK.hintChars) }),
    element: element(kind, fieldId(place)),
  };
}

function rule(kind: FieldKind): string | undefined {
  switch (kind.type) {
    case 'text':
      return kind.format === undefined ? undefined : `Format: ${visible(kind.format).slice(0, SHOWN.spokenChars)}`;
    case 'number': {
      const { whole, least, most } = kind;
      const bounds = [
        ...(least === undefined ? [] : [`at least ${least}`]),
        ...(most === undefined ? [] : [`at most ${most}`]),
      ];
      return [whole ? 'A whole number' : 'A number', ...bounds].join(', ');
    }
    default:
      return undefined;
  }
}

function element(kind: FieldKind, action_id: string): InputBlockElement {
  switch (kind.type) {
    case 'text':
      return {
        type: 'plain_text_input',
        action_id,
        multiline: kind.most > LINE_CHARS && kind.format === undefined,
        max_length: kind.most,
        ...(kind.least > 0 ? { min_length: kind.least } : {}),
        ...given({ initial_value: kind.initial }),
      };
    case 'number':
      // Bounds are checked at submission: Slack cannot express all bounds that a JSON schema can.
      return {
        type: 'plain_text_input',
        action_id,
        max_length: NUMBER_CHARS,
        ...(kind.initial === undefined ? {} : { initial_value: `${kind.initial}` }),
      };
    case 'yes-no':
      return select(action_id, YES_NO, kind.initial === undefined ? undefined : Number(!kind.initial));
    case 'one-of': {
      const initial = kind.options.findIndex(({ value }) => value === kind.initial);
      return select(
        action_id,
        kind.options.map(({ text }) => text),
        initial < 0 ? undefined : initial,
      );
    }
    case 'some-of': {
      const options = kind.options.map(({ text }, place) => option(text, place));
      const initial = options.filter((_option, place) => kind.initial.includes(kind.options[place]?.value ?? ''));
      return {
        type: 'multi_static_select',
        action_id,
        options,
        ...(initial.length === 0 ? {} : { initial_options: initial }),
      };
    }
  }
}

const YES_NO = ['Yes', 'No'];
const LINE_CHARS = 200;
const NUMBER_CHARS = 60;

/** The value of an option is its place, because the server's value may be anything. */
function option(text: string, place: number): PlainTextOption {
  return { text: plain(optionText(text), SLACK.optionChars), value: `${place}` };
}

function select(action_id: string, texts: readonly string[], initial: number | undefined): InputBlockElement {
  const options = texts.map(option);
  const chosen = initial === undefined ? undefined : options[initial];
  return {
    type: 'static_select',
    action_id,
    options,
    ...given({ initial_option: chosen }),
  };
}
