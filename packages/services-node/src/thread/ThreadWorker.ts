/** A thread of `NodeThreads`: runs computations, one after another. */
import { parentPort } from "node:worker_threads"
import { keepCompiled } from "./CompileCache.ts"
import { ready, type TaskAnswer, type TaskMessage } from "./ThreadMessages.ts"

keepCompiled()
const loaded = import("@lectern/core/thread/Computations")

const shared = new Map<number, object>()

const answerTo = async ({ name, input, shared: given, forget }: TaskMessage): Promise<TaskAnswer> => {
  if (forget !== undefined) shared.delete(forget)
  if (given?.value !== undefined) shared.set(given.id, given.value)
  const run = await (await loaded).runOf(name)
  try {
    return { output: run(input, given && shared.get(given.id)) }
  } catch (error) {
    // A `RangeError` means that the stack overflowed, so the input is too costly.
    if (error instanceof RangeError) return { costly: true }
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
    return { defect: { name, message, ...(stack !== undefined && { stack }) } }
  }
}

/** Returns buffers to transfer without a copy: those that one byte array fills completely. */
const transferred = (answer: TaskAnswer): ReadonlyArray<ArrayBuffer> => {
  if (!("output" in answer) || typeof answer.output !== "object" || answer.output === null) return []
  return [answer.output, ...Object.values(answer.output)].flatMap((value) =>
    value instanceof Uint8Array && value.byteLength === value.buffer.byteLength ? (value.buffer as ArrayBuffer) : []
  )
}

parentPort?.on("message", async (task: TaskMessage) => {
  const answer = await answerTo(task)
  parentPort?.postMessage(answer, transferred(answer))
})
void loaded.then(() => parentPort?.postMessage(ready, []))
