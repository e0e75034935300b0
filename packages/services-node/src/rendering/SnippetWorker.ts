/** The thread of `NodeSnippetRenderer`. Loads each renderer when it is first needed. */
import { parentPort } from "node:worker_threads"
import type { SnippetRequest } from "@lectern/site/rendering/SnippetRenderer"
import { enableCompileCache } from "../thread/CompileCache.ts"
import type { RenderResult, RenderFailure, PictureRequest } from "./NodeSnippetRenderer.ts"

enableCompileCache()

/**
 * Returns the reason if the machine caused the failure, such as a folder that is not writable. Undefined for other
 * failures, such as an invalid formula.
 */
const machineFailure = (failure: unknown): RenderFailure | undefined =>
  failure instanceof Error && "code" in failure ? { failed: failure.message } : undefined

const render = async (request: SnippetRequest | PictureRequest): Promise<RenderResult> => {
  try {
    switch (request.kind) {
      case "code":
        return await (await import("./HighlightedCode.ts")).render(request.code, request.syntax)
      case "formula":
        return await (await import("./FormulaSvg.ts")).render(request.tex, request.isBlock)
      case "picture":
        return await (await import("./PictureRenderer.ts")).renderPicture(request.picture, request.logo)
      case "icon":
        return await (await import("./FontAwesome.ts")).render(request.name, request.style)
    }
  } catch (failure) {
    // After an unexpected failure the thread ends, since WebAssembly may be in any state. The next request starts a new
    // one.
    const reported = machineFailure(failure)
    if (request.kind === "picture" && reported === undefined) throw failure
    return reported
  }
}

parentPort?.on("message", async (requests: ReadonlyArray<SnippetRequest | PictureRequest>) => {
  const results: Array<RenderResult> = []
  for (const request of requests) results.push(await render(request))
  parentPort?.postMessage(results, [])
})
