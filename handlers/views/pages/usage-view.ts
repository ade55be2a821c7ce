import type { Cost, Spent, ThreadUsage } from '../../../app/keeping/index.ts';
import { fallback, footnote, join, type MessageView, type Mrkdwn, mrkdwn, section } from '../kit/blocks.ts';
import { count } from '../words/wording.ts';

/** How much the model was used in this thread, shown to the person who asked. */
export function usageView({ thread, running }: ThreadUsage): MessageView {
  if (thread.turns === 0) return onlyText(mrkdwn`The model has not answered in this thread yet, so nothing was used.`);
  const head = mrkdwn`*Used in this thread*: ${count(thread.turns, 'answer')} in ${count(thread.runs, 'run')}`;
  const parts =
    running === undefined || thread.runs === 1 ? [] : [join([mrkdwn`The current run:`, line(running)], ' ')];
  return {
    text: fallback(head),
    blocks: [
      section('usage', join([head, line(thread), ...parts], '\n')),
      footnote('usage:print', [mrkdwn`${notes(thread)}`]),
    ],
  };
}

function onlyText(text: Mrkdwn): MessageView {
  return { text: fallback(text), blocks: [section('usage', text)] };
}

function line({ tokens, cost }: Spent): Mrkdwn {
  const { input, output, cacheRead, cacheWrite } = tokens;
  const money = cost === undefined ? mrkdwn`` : mrkdwn` · *${inMoney(cost)}*`;
  return mrkdwn`${count(input, 'token')} read · ${number(cacheRead)} read from the cache · ${number(cacheWrite)} written to it · ${number(output)} written${money}`;
}

function notes({ cost }: Spent): string {
  const counted = 'This counts the answers that were used; failed attempts may have cost more.';
  if (cost !== undefined) return `${counted} The cost follows today’s prices in the configuration.`;
  return `${counted} To see the cost here, set model.prices in the configuration.`;
}

/** With two digits, or with four for an amount below one. */
export function inMoney({ amount, currency }: Cost): string {
  const digits = amount === 0 || amount >= 1 ? 2 : 4;
  const least = 10 ** -digits;
  const shown = amount > 0 && amount < least ? `less than ${least.toFixed(digits)}` : grouped(amount, digits);
  return currency === undefined ? shown : `${shown} ${currency}`;
}

const grouped = (amount: number, digits: number): string =>
  amount.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

const number = (value: number): string => value.toLocaleString('en-US');
