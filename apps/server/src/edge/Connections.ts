/**
 * Tracks open connections and limits their number for each client address, so that no client uses all file descriptors of
 * the process. A connection above the limit is closed at once. Trusted proxies and Unix sockets are exempt, since they
 * carry the requests of all clients.
 */
import type { Server, Socket } from "node:net"
import { type AddressRanges, rateLimitKey } from "@lectern/core/fetch/Addresses"

/** Returns the live set of open connections of a server, including idle ones. */
export const openConnections = (server: Server): ReadonlySet<Socket> => {
  const open = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    open.add(socket)
    socket.once("close", () => open.delete(socket))
  })
  return open
}

/** Limits the connections of each address to `most` (0 = no limit). Calls `refused` for each connection that is closed. */
export const limitConnections = (
  server: Server,
  most: number,
  exempt: AddressRanges,
  refused: (address: string) => void
): void => {
  if (most === 0) return
  const open = new Map<string, number>()
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || exempt.has(address)) return
    const name = rateLimitKey(address)
    const before = open.get(name) ?? 0
    if (before >= most) {
      socket.destroy()
      return refused(address)
    }
    open.set(name, before + 1)
    socket.once("close", () => {
      const left = open.get(name)! - 1
      if (left === 0) open.delete(name)
      else open.set(name, left)
    })
  })
}
