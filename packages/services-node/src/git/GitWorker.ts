/** The thread of `NodeGitRemote`: opens one branch and runs its calls. */
import { parentPort } from "node:worker_threads"
import { keepCompiled } from "../thread/CompileCache.ts"
import { GitProblem } from "./GitProblem.ts"
import type { GitAnswer, GitCall } from "./GitThread.ts"
import type { GitWork } from "./GitWork.ts"

keepCompiled()
const loaded = import("./GitWork.ts")

let work: Awaited<ReturnType<typeof GitWork.open>>["work"] | undefined

const opened = () => {
  if (work === undefined) throw new Error("The branch is not open")
  return work
}

const done = async (asked: GitCall): Promise<unknown> => {
  if (asked.call === "open") {
    const result = await (await loaded).GitWork.open(asked.takes)
    work = result.work
    return result.opened
  }
  if (asked.call === "read") return await opened().read(asked.takes)
  if (asked.call === "write") return await opened().write(asked.takes.path, asked.takes.bytes)
  if (asked.call === "remove") return await opened().remove(asked.takes)
  return asked.call === "commit" ? await opened().commit(asked.takes) : await opened().push()
}

parentPort?.on("message", (asked: GitCall) => {
  void done(asked).then(
    (gives) => parentPort?.postMessage({ gives } satisfies GitAnswer, []),
    (error: unknown) => {
      if (!(error instanceof GitProblem)) throw error
      parentPort?.postMessage({ reason: error.reason, message: error.message } satisfies GitAnswer, [])
    }
  )
})
