/**
 * Tracks open connections and limits their number for each client address, so that no client uses all file descriptors of
 * the process. A connection above the limit is closed at once. Trusted proxies and Unix sockets are exempt, since they
 * carry the requests of all clients.
 */
import type { Server, Socket } from "node:net"
import { type AddressRanges, rateLimitKey } from "@lectern/core/fetch/Addresses"

/** Returns the live set of open connections of a server, including idle ones. */
export const openConnections = (server: Server): ReadonlySet<Socket> => {
  const openSockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    openSockets.add(socket)
    socket.once("close", () => openSockets.delete(socket))
  })
  return openSockets
}

/** Limits the connections of each address to `maxConnections` (0 = no limit). Calls `onRefusal` for each refused connection. */
export const limitConnections = (
  server: Server,
  maxConnections: number,
  exempt: AddressRanges,
  onRefusal: (address: string) => void
): void => {
  if (maxConnections === 0) return
  const countByAddress = new Map<string, number>()
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || exempt.has(address)) return
    const name = rateLimitKey(address)
    const currentCount = countByAddress.get(name) ?? 0
    if (currentCount >= maxConnections) {
      socket.destroy()
      return onRefusal(address)
    }
    countByAddress.set(name, currentCount + 1)
    socket.once("close", () => {
      const remainingCount = countByAddress.get(name)! - 1
      if (remainingCount === 0) countByAddress.delete(name)
      else countByAddress.set(name, remainingCount)
    })
  })
}
