/**
 * The commands of the manual: its blocks of `bash`, in the order in which its pages are read. The info string of one
 * that is not run says so, and why: ```` ```bash unrun: needs Docker ````. One that shows what is refused begins with
 * `fails:`.
 */
import { readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../../..")
const contents = join(root, "docs/SUMMARY.md")

export interface ManualBlock {
  /** The page, and the line of the block in it. */
  readonly at: string
  readonly text: string
  /** Why it is not run. */
  readonly unrun?: string
  /** Why a request of it is refused. */
  readonly fails?: string
}

export const manualBlocks = (): ReadonlyArray<ManualBlock> => {
  const pages = Array.from(readFileSync(contents, "utf8").matchAll(/\]\(([^)#]+)\)/g), ([, path]) =>
    join(dirname(contents), path!)
  )
  return [join(root, "README.md"), ...pages].flatMap((page) => {
    const source = readFileSync(page, "utf8")
    return Array.from(source.matchAll(/^```bash(.*)\n([\s\S]*?)^```/gm), ({ 1: info, 2: text, index }) => {
      const [, kind, reason] = /^ (unrun|fails): (\S.*)$/.exec(info!) ?? []
      const at = `${page.slice(root.length + 1)}:${source.slice(0, index).split("\n").length}`
      if (info !== "" && kind === undefined) throw new Error(`${at} says "${info}", which is neither unrun nor fails`)
      return {
        at,
        text: text!,
        ...(kind === "unrun" && { unrun: reason! }),
        ...(kind === "fails" && { fails: reason! })
      }
    })
  })
}
