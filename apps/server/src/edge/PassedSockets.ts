/**
 * Sockets that systemd opened for this process (socket activation): the first is for the API, the second for
 * integrations. Connections wait in them while the server restarts.
 *
 * Node does not report the address of a passed Unix socket, so its path is read from Linux's `/proc`.
 */
import { readFileSync, readlinkSync } from "node:fs"
import type { Server } from "node:net"

/** First descriptor of passed sockets. */
const firstDescriptor = 3

/** Maximum number of passed sockets: one for the API, one for integrations. */
const maxCount = 2

let wereTaken = false

const countOf = (): number => {
  const { LISTEN_FDS, LISTEN_PID } = process.env
  const count = Number(LISTEN_FDS)
  return Number(LISTEN_PID) === process.pid && Number.isInteger(count) && count > 0 ? count : 0
}

/** True if sockets were passed. The settings for ports and socket paths then have no effect. */
export const arePassed = (): boolean => wereTaken || countOf() > 0

/** Returns the passed descriptors in the order of the unit file. Empty if they were passed to another process. */
export const take = (): ReadonlyArray<number> => {
  const count = countOf()
  wereTaken ||= count > 0
  // The variables are deleted, since child processes must not use the sockets.
  for (const name of ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"]) delete process.env[name]
  return Array.from({ length: Math.min(count, maxCount) }, (_, i) => firstDescriptor + i)
}

/** Returns the path of a Unix socket, with a leading NUL if the socket is abstract, or undefined for other sockets. */
const pathOf = (descriptor: number): string | undefined => {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`)) ?? []
    const line = new RegExp(`^(?:\\S+ +){6}${inode} (.+)$`, "m").exec(readFileSync("/proc/self/net/unix", "utf8"))
    return line?.[1]?.replace(/^@/, "\0")
  } catch {
    return undefined
  }
}

/** Makes `server.address()` return the path of a passed Unix socket. Emits an error if the path is unknown. */
export const reportAddress = (server: Server, descriptor: number): void => {
  const address = server.address.bind(server)
  server.address = () => address() ?? pathOf(descriptor) ?? null
  server.once("listening", () => {
    if (server.address() !== null) return
    const code = "the path of the Unix socket is missing in /proc/self/net/unix"
    server.emit("error", Object.assign(new Error(code), { code }))
  })
}
