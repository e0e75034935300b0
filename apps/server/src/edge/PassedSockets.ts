/**
 * Sockets that systemd opened for this process (socket activation): the first is the interface's, the second
 * that of integrations. Calls that come while the server is not there, in a restart for instance, wait in them.
 *
 * Of one that is a Unix socket Node knows no address: its path is what Linux says of it.
 */
import { readFileSync, readlinkSync } from "node:fs"
import type { Server } from "node:net"

/** Descriptors of what was passed begin here. */
const first = 3

/** The interface, and integrations. */
const most = 2

let wereTaken = false

const countOf = (): number => {
  const { LISTEN_FDS, LISTEN_PID } = process.env
  const count = Number(LISTEN_FDS)
  return Number(LISTEN_PID) === process.pid && Number.isInteger(count) && count > 0 ? count : 0
}

/** True where ports and paths of settings do nothing, as sockets were passed in their place. */
export const arePassed = (): boolean => wereTaken || countOf() > 0

/** Descriptors, in the order of the unit file; none where they were meant for another process. */
export const take = (): ReadonlyArray<number> => {
  const count = countOf()
  wereTaken ||= count > 0
  // Programs that this one starts are not meant.
  for (const name of ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"]) delete process.env[name]
  return Array.from({ length: Math.min(count, most) }, (_, i) => first + i)
}

/** Path of a Unix socket, which Node wants with a zero in front where it is in no file system; undefined for all else. */
const pathOf = (descriptor: number): string | undefined => {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`)) ?? []
    const line = new RegExp(`^(?:\\S+ +){6}${inode} (.+)$`, "m").exec(readFileSync("/proc/self/net/unix", "utf8"))
    return line?.[1]?.replace(/^@/, "\0")
  } catch {
    return undefined
  }
}

/** Has a server know its address, or fail to listen: whoever asks for it takes it that there is one. */
export const tellAddress = (server: Server, descriptor: number): void => {
  const address = server.address.bind(server)
  server.address = () => address() ?? pathOf(descriptor) ?? null
  server.once("listening", () => {
    if (server.address() !== null) return
    const code = "it is a Unix socket whose path /proc/self/net/unix does not tell"
    server.emit("error", Object.assign(new Error(code), { code }))
  })
}
