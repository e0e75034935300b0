/** A server of a test on a port of the loopback that is free. */
import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"

export interface Loopback {
  /** Without a slash at the end. */
  readonly url: string
  readonly close: () => Promise<void>
}

export const listen = async (server: Server): Promise<Loopback> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}
