/** What Node says of an option that it cannot read, without its advice about other arguments. `undefined` for any other error. */
export const unreadOption = (said: string): string | undefined =>
  /^(?:Unknown option|Option) '[^']*'[^.]*/.exec(said)?.[0].concat('.');
