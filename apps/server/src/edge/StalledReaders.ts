/**
 * Hangs up on whoever takes nothing of its answers: each would hold a connection, and what waits in it, for good. Looks
 * at all connections at once, now and then; a client that is slow has taken something between two looks.
 */
import type { Socket } from "node:net"

/** How often it is looked, at most (ms). */
const pause = 30_000

/** Numbers that Node has of what lies below a socket, TLS or not. */
interface Below {
  /** Bytes that were given to the system, or wait for it. */
  readonly bytesWritten: number
  /** Those that wait. */
  readonly writeQueueSize: number
}

interface Stalled {
  readonly taken: number
  readonly since: number
}

const below = (socket: Socket) => (socket as unknown as { readonly _handle: Below | null })._handle

/** Gives a look, which is told the time (ms), and hangs up on those of which nothing was taken for so long. */
export const looking = (open: ReadonlySet<Socket>, patience: number): ((now: number) => void) => {
  const stalled = new WeakMap<Socket, Stalled>()
  return (now) => {
    for (const socket of open) {
      const handle = below(socket)
      if (!handle || handle.writeQueueSize === 0) {
        stalled.delete(socket)
        continue
      }
      const taken = handle.bytesWritten - handle.writeQueueSize
      const before = stalled.get(socket)
      if (before?.taken !== taken) stalled.set(socket, { taken, since: now })
      else if (now - before.since >= patience) socket.destroy()
    }
  }
}

/** Looks for as long as it isn't told to end. */
export const hangUp = (open: ReadonlySet<Socket>, patience: number): (() => void) => {
  const look = looking(open, patience)
  const looks = setInterval(() => look(performance.now()), Math.min(patience, pause)).unref()
  return () => clearInterval(looks)
}
