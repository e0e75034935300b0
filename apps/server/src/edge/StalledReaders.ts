/**
 * Closes connections whose clients do not read their responses. Each would keep a connection and its buffers forever.
 * Polls all connections; a slow client has read at least one byte between two polls.
 */
import type { Socket } from "node:net"

/** Maximum interval between polls, in ms. */
const maxInterval = 30_000

/** Counters of the handle of a socket, with or without TLS. Internal to Node. */
interface HandleCounters {
  /** Bytes passed to the system, including waiting bytes. */
  readonly bytesWritten: number
  /** Bytes waiting for the system. */
  readonly writeQueueSize: number
}

interface StalledRead {
  readonly bytesRead: number
  readonly since: number
}

const handleOf = (socket: Socket) => (socket as unknown as { readonly _handle: HandleCounters | null })._handle

/**
 * Returns a function that checks all connections. Its argument is the current time of a monotonic clock, in ms. It
 * closes each connection whose client has read nothing for `timeout` ms although data is waiting.
 */
export const makePoll = (openSockets: ReadonlySet<Socket>, timeout: number): ((now: number) => void) => {
  const stalled = new WeakMap<Socket, StalledRead>()
  return (now) => {
    for (const socket of openSockets) {
      const handle = handleOf(socket)
      if (!handle || handle.writeQueueSize === 0) {
        stalled.delete(socket)
        continue
      }
      const bytesRead = handle.bytesWritten - handle.writeQueueSize
      const lastRead = stalled.get(socket)
      if (lastRead?.bytesRead !== bytesRead) stalled.set(socket, { bytesRead, since: now })
      else if (now - lastRead.since >= timeout) socket.destroy()
    }
  }
}

/** Polls until the returned function is called. */
export const closeStalled = (openSockets: ReadonlySet<Socket>, timeout: number): (() => void) => {
  const poll = makePoll(openSockets, timeout)
  const timer = setInterval(() => poll(performance.now()), Math.min(timeout, maxInterval)).unref()
  return () => clearInterval(timer)
}
