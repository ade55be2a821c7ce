import type { AddressInfo, Server } from 'node:net';

/** Lets a server listen on this computer. Returns the port, which the system chooses unless it is given. */
export async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  // A server on a port has an address of this kind. The type also knows sockets of files.
  return (server.address() as AddressInfo).port;
}
