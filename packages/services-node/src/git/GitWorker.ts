/** The thread of `NodeGitRemote`: opens one branch and runs its calls. */
import { parentPort } from "node:worker_threads"
import { enableCompileCache } from "../thread/CompileCache.ts"
import { GitProblem } from "./GitProblem.ts"
import type { GitCallResult, GitCall } from "./GitMessages.ts"
import type { GitBranchSession } from "./GitBranchSession.ts"

enableCompileCache()
const workModule = import("./GitBranchSession.ts")

let work: Awaited<ReturnType<typeof GitBranchSession.open>>["work"] | undefined

const openBranch = () => {
  if (work === undefined) throw new Error("The branch is not open")
  return work
}

const runCall = async (call: GitCall): Promise<unknown> => {
  if (call.call === "open") {
    const result = await (await workModule).GitBranchSession.open(call.input)
    work = result.work
    return result.opened
  }
  if (call.call === "read") return await openBranch().read(call.input)
  if (call.call === "write") return await openBranch().write(call.input.path, call.input.bytes)
  if (call.call === "remove") return await openBranch().remove(call.input)
  return call.call === "commit" ? await openBranch().commit(call.input) : await openBranch().push()
}

parentPort?.on("message", (call: GitCall) => {
  void runCall(call).then(
    (output) => parentPort?.postMessage({ output } satisfies GitCallResult, []),
    (error: unknown) => {
      if (!(error instanceof GitProblem)) throw error
      parentPort?.postMessage({ reason: error.reason, message: error.message } satisfies GitCallResult, [])
    }
  )
})
