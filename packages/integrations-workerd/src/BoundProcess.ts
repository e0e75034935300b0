/**
 * Processes that don't outlive this one, and how it is known that one takes connections.
 *
 * Limit: 10 seconds until it does.
 */
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { connect } from "node:net"
import type { Writable } from "node:stream"
import type { RunFailed } from "@lectern/core/integration/IntegrationRuntime"
import { failed } from "./ProgramRuns.ts"

const startTimeout = 10_000

/**
 * Ends with the process that holds the other end of its third pipe, unless it is told that there is nothing to end. A
 * signal to all processes of a group does not end whoever watches: a script that loops would be left. Nobody else is
 * there then to remove its files, of these names and no others, and its folder.
 */
const watched = (files: ReadonlyArray<string>) => {
  const clear = files.length === 0 ? "" : `rm -f ${files.join(" ")}; rmdir "$PWD"; `
  return `(trap "" HUP INT TERM; read -r _ <&3 || { kill -9 $$; ${clear}}) >/dev/null 2>&1 & exec "$0" "$@" 3<&-`
}
const shell = "/bin/sh"

/**
 * A process that does not outlive this one, however this one ends; where there is no shell to see to that, one
 * that is ended with it alone. `files`: names of those in its folder, which go with it then.
 */
export const spawnBound = (
  program: string,
  args: ReadonlyArray<string>,
  cwd: string,
  files: ReadonlyArray<string> = []
): ChildProcess => {
  const options = { cwd, env: {}, stdio: ["ignore", "pipe", "pipe", "pipe"] } satisfies SpawnOptions
  if (!existsSync(shell)) return spawn(program, args, options)
  const child = spawn(shell, ["-c", watched(files), program, ...args], options)
  const pipe = child.stdio[3] as Writable
  // Whoever watches may be gone before it is told.
  pipe.on("error", () => {})
  child.on("exit", () => pipe.end("\n"))
  return child
}

/** Waits until the process takes connections. */
export const answering = (child: ChildProcess, path: string, said: { readonly text: string }) =>
  new Promise<void>((done, fail) => {
    const until = performance.now() + startTimeout
    const end = (error?: RunFailed) => {
      child.off("exit", onExit).off("error", onError)
      if (error === undefined) return done()
      child.kill("SIGKILL")
      fail(error)
    }
    const onExit = () => end(failed("unreachable", `It could not be started: ${said.text.slice(0, 500)}`))
    const onError = (error: Error) => end(failed("unreachable", `It could not be started: ${error.message}`))
    child.on("exit", onExit).on("error", onError)
    const attempt = () => {
      if (child.exitCode !== null) return
      const socket = connect(path)
      socket.on("connect", () => {
        socket.destroy()
        end()
      })
      socket.on("error", () => {
        if (performance.now() > until) end(failed("unreachable", "It took too long to start"))
        else setTimeout(attempt, 5).unref()
      })
    }
    attempt()
  })

/** Waits until a process that was ended, or never began, is gone. */
export const ended = async (child: ChildProcess): Promise<void> => {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) await once(child, "exit")
}
