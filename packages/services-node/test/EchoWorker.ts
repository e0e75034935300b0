/**
 * A thread for tests. It echoes each message, with these exceptions:
 * - `which`: responds with the thread id.
 * - `slowly`: responds after 50 ms.
 * - `never`: does not respond.
 * - `fail`: throws.
 * - `end`: exits.
 * - `fill`: exhausts memory.
 */
import { parentPort, threadId } from "node:worker_threads"

parentPort?.on("message", (told: string) => {
  if (told === "fail") throw new Error("failed")
  if (told === "end") process.exit(1)
  if (told === "fill") for (const all: Array<Array<number>> = []; ;) all.push(Array.from({ length: 1000 }, (_, i) => i))
  if (told === "slowly") return void setTimeout(() => parentPort?.postMessage(told, []), 50)
  if (told !== "never") parentPort?.postMessage(told === "which" ? String(threadId) : told, [])
})
