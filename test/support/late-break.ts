/**
 * Whoever plays HTTP here tells a connection that it broke, and now and then does so when Node's own client has let go of it;
 * the client trips over that. By then no request is under way any more, and no line of ours is in it.
 */
export function isLateBreak({ message, stack = '' }: { readonly message: string; readonly stack?: string }): boolean {
  const parts = ['TLSSocket.onHttpSocketError', 'node:internal/deps/undici', '@mswjs/interceptors'];
  return (
    message === "Cannot read properties of null (reading 'statusCode')" && parts.every((part) => stack.includes(part))
  );
}
