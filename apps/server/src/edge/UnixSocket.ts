/** Unix sockets that a server listens at: for its user and group (`0660`), and in the place of none that is in use. */
import { chmodSync, lstatSync, unlinkSync } from "node:fs"
import { connect } from "node:net"
import { Effect } from "effect"
import { CommandFailed } from "../CommandFailed.ts"

const mode = 0o660

/** Opens it to the group, once somebody listens at it. */
export const share = (path: string): void => chmodSync(path, mode)

/** True where somebody listens at it. */
const isInUse = (path: string) =>
  Effect.callback<boolean>((resume) => {
    const socket = connect(path)
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.succeed(true))
    })
    // Only this says that nobody listens: another may have no right to ask.
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resume(Effect.succeed(code !== "ECONNREFUSED")))
  })

/** Makes room for a socket: one that a server left behind when it was killed is removed, nothing else is. */
export const makeRoom = Effect.fnUntraced(function* (path: string) {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket()) {
    return yield* new CommandFailed({
      message: `There is a file at ${path}, and it is no socket: nothing listens there`
    })
  }
  if (yield* isInUse(path)) {
    return yield* new CommandFailed({ message: `The socket ${path} is in use: stop what listens there` })
  }
  yield* Effect.sync(() => unlinkSync(path))
})
