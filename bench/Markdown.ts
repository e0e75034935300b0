/** Measures parsing and printing of the Markdown pages of a folder, compared to remark. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Markdown from "@lectern/document/markdown/Markdown"
import remarkGfm from "remark-gfm"
import remarkParse from "remark-parse"
import remarkStringify from "remark-stringify"
import { unified } from "unified"

/** Folder of the pages, from `LECTERN_BENCH_PAGES`. Default: the documentation of Lectern. */
const folder = process.env["LECTERN_BENCH_PAGES"] ?? join(import.meta.dirname, "../docs")
const rounds = 5

/** Returns the processor time of a function (ms), which other processes hardly affect. */
const cost = (work: () => void): number => {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

export const run = async () => {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}`)
  const pages = globSync(`${folder}/**/*.md`).map((page) => readFileSync(page, "utf8"))
  const remark = unified().use(remarkParse).use(remarkGfm).use(remarkStringify)
  let key = 0
  const nextKey = () => `k${++key}`
  const ours = () => {
    for (const page of pages) {
      const parsed = Markdown.parse(page, { nextKey })
      Markdown.print(parsed.document, parsed)
    }
  }
  const theirs = () => {
    for (const page of pages) remark.stringify(remark.parse(page))
  }
  ours()
  theirs()
  const costs = Array.from({ length: rounds }, () => [cost(ours), cost(theirs)] as const)
  const lectern = median(costs.map(([lecternCost]) => lecternCost))
  const bareMedian = median(costs.map(([, bareCost]) => bareCost))
  return {
    "there and back": {
      pages: pages.length,
      "Lectern ms": Math.round(lectern),
      "remark ms": Math.round(bareMedian),
      "speed ratio": Number((bareMedian / lectern).toFixed(2))
    }
  }
}
