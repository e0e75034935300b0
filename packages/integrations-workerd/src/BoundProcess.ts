/**
 * Starts child processes that never outlive this process, and waits until they accept connections.
 *
 * Limit: 10 seconds until a process accepts connections.
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
 * Returns a shell script that runs the program and a watcher. The watcher kills the program and removes the given files and
 * their folder when file descriptor 3 closes without a line, which happens when this process ends. The watcher ignores
 * signals to the process group, since a program in an endless loop would survive them.
 */
const watchedScript = (files: ReadonlyArray<string>) => {
  const clear = files.length === 0 ? "" : `rm -f ${files.join(" ")}; rmdir "$PWD"; `
  return `(trap "" HUP INT TERM; read -r _ <&3 || { kill -9 $$; ${clear}}) >/dev/null 2>&1 & exec "$0" "$@" 3<&-`
}
const shell = "/bin/sh"

/**
 * Starts a process that ends with this process, however this process ends. Without a shell on the system, the process only
 * ends if this process ends it. `files`: names of files in its folder that are removed with the process.
 */
export const spawnBound = (
  program: string,
  args: ReadonlyArray<string>,
  cwd: string,
  files: ReadonlyArray<string> = []
): ChildProcess => {
  const options = { cwd, env: {}, stdio: ["ignore", "pipe", "pipe", "pipe"] } satisfies SpawnOptions
  if (!existsSync(shell)) return spawn(program, args, options)
  const child = spawn(shell, ["-c", watchedScript(files), program, ...args], options)
  const pipe = child.stdio[3] as Writable
  // Errors of the pipe are ignored, since the watcher may have exited already.
  pipe.on("error", () => {})
  child.on("exit", () => pipe.end("\n"))
  return child
}

/** Waits until the process accepts connections. Rejects with its output if it exits before. */
export const untilConnectable = (child: ChildProcess, path: string, errorOutput: { readonly text: string }) =>
  new Promise<void>((done, fail) => {
    const until = performance.now() + startTimeout
    const end = (error?: RunFailed) => {
      child.off("exit", onExit).off("error", onError)
      if (error === undefined) return done()
      child.kill("SIGKILL")
      fail(error)
    }
    const onExit = () => end(failed("unreachable", `It could not be started: ${errorOutput.text.slice(0, 500)}`))
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

/** Waits until a process that was killed or failed to start has exited. */
export const untilExited = async (child: ChildProcess): Promise<void> => {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) await once(child, "exit")
}
