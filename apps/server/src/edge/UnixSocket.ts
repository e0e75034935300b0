/** Unix sockets of the server. They are open to its user and group (mode `0660`) and never replace a socket in use. */
import { chmodSync, lstatSync, unlinkSync } from "node:fs"
import { connect } from "node:net"
import { Effect } from "effect"
import { CommandFailed } from "@lectern/cli/CommandFailed"

const mode = 0o660

/** Opens a socket to the group. Called once the server listens. */
export const shareWithGroup = (path: string): void => chmodSync(path, mode)

/** True if a process listens at the socket. */
const isInUse = (path: string) =>
  Effect.callback<boolean>((resume) => {
    const socket = connect(path)
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.succeed(true))
    })
    // Only ECONNREFUSED means that no process listens. Other errors include missing permission.
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resume(Effect.succeed(code !== "ECONNREFUSED")))
  })

/** Removes the socket of a server that was killed. Fails if the socket is in use or the path is another file. */
export const removeStale = Effect.fnUntraced(function* (path: string) {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return
  if (!stats.isSocket()) {
    return yield* new CommandFailed({
      message: `${path} exists and is not a socket: remove the file or choose another path`
    })
  }
  if (yield* isInUse(path)) {
    return yield* new CommandFailed({ message: `The socket ${path} is in use: stop the process that listens there` })
  }
  yield* Effect.sync(() => unlinkSync(path))
})
