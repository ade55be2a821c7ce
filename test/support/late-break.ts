/**
 * The player of HTTP emits an error on a connection that Node's own client has released already, and the client trips over
 * that. By then no request is under way any more, and no line of ours may be in it.
 */
export function isLateBreak({ message, stack = '' }: { readonly message: string; readonly stack?: string }): boolean {
  const parts = ['TLSSocket.onHttpSocketError', 'node:internal/deps/undici', '@mswjs/interceptors'];
  const known = message === "Cannot read properties of null (reading 'statusCode')";
  const isOurs = /\.ts\b/.test(stack);
  return known && !isOurs && parts.every((part) => stack.includes(part));
}
