/** The thread of `NodePainter`. Loads each renderer when it is first needed. */
import { parentPort } from "node:worker_threads"
import type { SnippetRequest } from "@lectern/site/rendering/SnippetRenderer"
import { keepCompiled } from "../thread/CompileCache.ts"
import type { Drawn, Failed, Picture } from "./NodePainter.ts"

keepCompiled()

/**
 * Returns the reason if the machine caused the failure, such as a folder that is not writable. Undefined for other
 * failures, such as an invalid formula.
 */
const failed = (failure: unknown): Failed | undefined =>
  failure instanceof Error && "code" in failure ? { failed: failure.message } : undefined

const paint = async (wanted: SnippetRequest | Picture): Promise<Drawn> => {
  try {
    switch (wanted.kind) {
      case "code":
        return await (await import("./MarkedCode.ts")).paint(wanted.code, wanted.syntax)
      case "formula":
        return await (await import("./FormulaSvg.ts")).paint(wanted.tex, wanted.isBlock)
      case "picture":
        return await (await import("./PictureDrawing.ts")).draw(wanted.picture, wanted.logo)
      case "icon":
        return await (await import("./FontAwesome.ts")).paint(wanted.name, wanted.style)
    }
  } catch (failure) {
    // After an unexpected failure the thread ends, since WebAssembly may be in any state. The next request starts a new
    // one.
    const told = failed(failure)
    if (wanted.kind === "picture" && told === undefined) throw failure
    return told
  }
}

parentPort?.on("message", async (all: ReadonlyArray<SnippetRequest | Picture>) => {
  const painted: Array<Drawn> = []
  for (const wanted of all) painted.push(await paint(wanted))
  parentPort?.postMessage(painted, [])
})
