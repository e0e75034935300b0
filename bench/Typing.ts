/**
 * Main thread of Chromium for each key in the editor: a page of 1,000 blocks, one of 100 tables, one with 20,000 lines of
 * code, each also four times slowed down. A key is typed in the middle of the page. Processor time of the main thread
 * until the second frame after the key counts, without that of two frames without a key.
 */
import type { Document } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { openTab } from "../packages/editor/test/EditorPage.ts"
import { open } from "../packages/site/test/Chromium.ts"

const keys = 60
const slowdowns = [1, 4] as const

const repeat = (count: number, make: (n: number) => string) => Array.from({ length: count }, (_, n) => make(n))

const paragraph = (n: number) =>
  `Paragraph ${n} about the **grinding** of coffee beans, with a [link](https://example.com/${n}) and \`code\`.`

const blocks = (n: number) =>
  [`## Part ${n}`, paragraph(n), "* one\n* two\n  * three", `> Quote ${n}`, "```js\nbrew(90)\n```"][n % 5]!

const table = (n: number) =>
  `| A ${n} | B | C | D |\n| --- | --- | --- | --- |\n${repeat(5, (row) => `| ${row} | **b** | c | d |`).join("\n")}`

const pages: Readonly<Record<string, string>> = {
  "1,000 blocks": repeat(1_000, blocks).join("\n\n"),
  "100 tables": repeat(100, (n) => `${paragraph(n)}\n\n${table(n)}`).join("\n\n"),
  "1 MB of code": `${paragraph(0)}\n\n\`\`\`js\n${repeat(20_000, (n) => `const value${n} = brew(${n}, "grind the beans finely")`).join("\n")}\n\`\`\``
}

const documentOf = (markdown: string): Document => {
  let key = 0
  return Markdown.parse(markdown, { nextKey: () => `k${++key}` }).document
}

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  Number(values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!.toFixed(1))

export const run = async () => {
  const browser = await open()
  const rows: Record<string, object> = {}
  for (const [name, markdown] of Object.entries(pages))
    for (const slowdown of slowdowns) {
      const { close, page } = await openTab(browser)
      const session = await page.context().newCDPSession(page)
      await session.send("Performance.enable", { timeDomain: "threadTicks" })
      await page.evaluate(() => inPage.loadAll())
      // Until the document is painted, without its way to the page.
      const opened = await page.evaluate(async (document) => {
        const start = performance.now()
        inPage.open(document)
        await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
        return performance.now() - start
      }, documentOf(markdown))
      await page.evaluate(() => inPage.goToMiddle())
      await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown })
      const taskTime = async () => {
        const { metrics } = await session.send("Performance.getMetrics")
        return metrics.find((metric) => metric.name === "TaskDuration")!.value * 1000
      }
      const twoFrames = () =>
        page.evaluate(
          () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
        )
      // Time of the measurement itself.
      const idle: Array<number> = []
      const times: Array<number> = []
      for (let i = 0; i < keys; i++) {
        let before = await taskTime()
        await twoFrames()
        idle.push((await taskTime()) - before)
        before = await taskTime()
        await page.keyboard.press(i % 8 === 7 ? "Space" : "e")
        await twoFrames()
        times.push((await taskTime()) - before)
      }
      const own = percentile(idle, 0.5)
      const net = times.slice(5).map((time) => Math.max(0, time - own))
      rows[`${name}, ${slowdown === 1 ? "full speed" : `${slowdown} times slower`}`] = {
        "opened ms": Math.round(opened),
        "p50 ms": percentile(net, 0.5),
        "p95 ms": percentile(net, 0.95),
        "longest ms": percentile(net, 1)
      }
      await close()
    }
  await browser.close()
  return rows
}
