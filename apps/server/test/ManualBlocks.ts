/**
 * The commands of the manual: its `bash` blocks, in reading order of its pages. The info string of a block that is not
 * run starts with `unrun:` and states the reason: ```` ```bash unrun: needs Docker ````. The info string of a block
 * with a refused command starts with `fails:` and states the reason.
 */
import { readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../../..")
const contents = join(root, "docs/SUMMARY.md")

export interface ManualBlock {
  /** Page, and line of the block in the page. */
  readonly at: string
  readonly text: string
  /** Reason why the block is not run. */
  readonly unrun?: string
  /** Reason why a request of the block is refused. */
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
