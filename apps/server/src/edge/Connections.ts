/**
 * Knows which connections are open, and bounds how many one address holds, so that nobody takes all that the process
 * may have. One too many is closed unheard. Trusted proxies and Unix sockets are not counted: all callers come by them.
 */
import type { Server, Socket } from "node:net"
import { type AddressRanges, countedAs } from "@lectern/core/fetch/Addresses"

/** Those that are open, whether anything was said in them or not. */
export const openOf = (server: Server): ReadonlySet<Socket> => {
  const open = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    open.add(socket)
    socket.once("close", () => open.delete(socket))
  })
  return open
}

/** `refused` is told of each that is closed. 0: no limit. */
export const bound = (
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
    const name = countedAs(address)
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
