/**
 * Ends the process 10 seconds after it was told to stop, whatever it still waits for: the manual promises it, and
 * whoever restarts a server at night relies on it. Nothing acknowledged is lost, as in a crash; a line of the log
 * says what was waited for.
 *
 * The process kills itself: an exit waits for threads, and so for ever for one that is held up in the system.
 */
import { writeSync } from "node:fs"

const patience = 10_000
const stderr = 2

/** To be called when the stopping begins. */
export const begin = (): void => {
  // Whatever is waited for keeps the process alive by itself.
  setTimeout(() => {
    const waitsFor = [...new Set(process.getActiveResourcesInfo())].join(", ")
    const message = `The server did not stop within 10 seconds, and was ended. It waited for: ${waitsFor}`
    writeSync(stderr, `${JSON.stringify({ message, level: "ERROR", timestamp: new Date().toISOString() })}\n`)
    // Whoever tidies up at an exit.
    process.emit("exit", 1)
    process.kill(process.pid, "SIGKILL")
    // The first process of a container is deaf to signals of its own.
    process.exit(1)
  }, patience).unref()
}
