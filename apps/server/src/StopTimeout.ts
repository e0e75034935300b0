/**
 * Ends the process 10 seconds after a request to stop, as the manual promises. No acknowledged write is lost, as in a
 * crash. A log line names the resources that delayed the end.
 *
 * The process kills itself, because an exit would wait for threads, and a thread in a blocked system call never ends.
 */
import { writeSync } from "node:fs"

const timeout = 10_000
const stderr = 2

/** Starts the timeout. Called when the server starts to stop. */
export const start = (): void => {
  // The timer is unreferenced, so it does not keep the process alive. The awaited resources do.
  setTimeout(() => {
    const waitsFor = [...new Set(process.getActiveResourcesInfo())].join(", ")
    const message = `The server did not stop within 10 seconds and was killed. It waited for: ${waitsFor}`
    writeSync(stderr, `${JSON.stringify({ message, level: "ERROR", timestamp: new Date().toISOString() })}\n`)
    // Runs the exit handlers, which remove temporary files.
    process.emit("exit", 1)
    process.kill(process.pid, "SIGKILL")
    // `process.exit` follows, since process 1 of a container ignores signals that it sends to itself.
    process.exit(1)
  }, timeout).unref()
}
