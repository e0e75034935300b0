/** A thread for the tests of `BoundedThread`: says what it is told, or does worse. */
import { parentPort } from "node:worker_threads"

parentPort?.on("message", (told: string) => {
  if (told === "fail") throw new Error("failed")
  if (told === "end") process.exit(1)
  if (told === "fill") for (const all: Array<Array<number>> = []; ;) all.push(Array.from({ length: 1000 }, (_, i) => i))
  if (told !== "never") parentPort?.postMessage(told, [])
})
