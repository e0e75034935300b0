/** The thread of `NodePainter`: draws what is wanted, each with what it takes, which is loaded when it is first needed. */
import { parentPort } from "node:worker_threads"
import type { Wanted } from "@lectern/site/painting/Painter"
import { keepCompiled } from "../thread/CompileCache.ts"
import type { Drawn, Failed, Picture } from "./NodePainter.ts"

keepCompiled()

/** Only where the machine is to blame, such as for a folder that can't be written to: the wanted may be no formula. */
const failed = (failure: unknown): Failed | undefined =>
  failure instanceof Error && "code" in failure ? { failed: failure.message } : undefined

const paint = async (wanted: Wanted | Picture): Promise<Drawn> => {
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
    // WebAssembly that failed may be in any state: the thread ends, and the next one begins anew.
    const told = failed(failure)
    if (wanted.kind === "picture" && told === undefined) throw failure
    return told
  }
}

parentPort?.on("message", async (all: ReadonlyArray<Wanted | Picture>) => {
  const painted: Array<Drawn> = []
  for (const wanted of all) painted.push(await paint(wanted))
  parentPort?.postMessage(painted, [])
})
