/** A thread of `NodeThreads`: runs computations, one after another. */
import { parentPort } from "node:worker_threads"
import { enableCompileCache } from "./CompileCache.ts"
import { ready, type TaskResult, type TaskMessage } from "./ThreadMessages.ts"

enableCompileCache()
const loading = Promise.all([
  import("@lectern/core/thread/Computations"),
  import("@lectern/exchange/ExchangeComputations")
]).then(
  ([{ runOf }, { exchangeComputations }]) =>
    (name: string) =>
      runOf(exchangeComputations, name)
)

const shared = new Map<number, object>()

const runTask = async ({ name, input, shared: sharedInput, forget }: TaskMessage): Promise<TaskResult> => {
  if (forget !== undefined) shared.delete(forget)
  if (sharedInput?.value !== undefined) shared.set(sharedInput.id, sharedInput.value)
  const run = await (await loading)(name)
  try {
    return { output: run(input, sharedInput && shared.get(sharedInput.id)) }
  } catch (error) {
    // A `RangeError` means that the stack overflowed, so the input is too costly.
    if (error instanceof RangeError) return { costly: true }
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
    return { defect: { name, message, ...(stack !== undefined && { stack }) } }
  }
}

/** Returns buffers to transfer without a copy: those that one byte array fills completely. */
const transferred = (result: TaskResult): ReadonlyArray<ArrayBuffer> => {
  if (!("output" in result) || typeof result.output !== "object" || result.output === null) return []
  return [result.output, ...Object.values(result.output)].flatMap((value) =>
    value instanceof Uint8Array && value.byteLength === value.buffer.byteLength ? (value.buffer as ArrayBuffer) : []
  )
}

parentPort?.on("message", async (task: TaskMessage) => {
  const result = await runTask(task)
  parentPort?.postMessage(result, transferred(result))
})
void loading.then(() => parentPort?.postMessage(ready, []))
