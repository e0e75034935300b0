/** How strips come onto sheets: nothing is lost or drawn twice, however they are cut. */
import { assert, describe, it } from "@effect/vitest"
import { combineColumns } from "@lectern/services-node/pdf/Columns"
import { Flow, maxSheets, BookRefused } from "@lectern/services-node/pdf/Flow"
import { Formulas } from "@lectern/services-node/pdf/Formulas"
import { contentHeight, paper } from "@lectern/services-node/pdf/PageStyle"
import { gap, heightOf, marked, padded, space, type Strip, indented } from "@lectern/services-node/pdf/Strip"
import * as fc from "fast-check"
import PdfKit from "pdfkit"
import { runs } from "../../core/test/Runs.ts"

interface Drawn {
  readonly name: string
  readonly sheet: number
  readonly y: number
  readonly height: number
}

/** Positions of drawn strips, made with a way to name them. */
const placed = (strips: (named: (name: string, height: number, rest?: Partial<Strip>) => Strip) => Iterable<Strip>) => {
  const drawn: Array<Drawn> = []
  const flow = new Flow(new PdfKit({ autoFirstPage: false }), () => {})
  flow.newSheet()
  flow.placeStrips(
    strips((name, height, rest = {}) => ({
      height,
      draw: (_, y) => drawn.push({ name, sheet: flow.sheets, y, height }),
      ...rest
    }))
  )
  return drawn
}

const names = (drawn: ReadonlyArray<Drawn>) => drawn.map(({ name }) => name)

const heights = fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 60 })

describe("Flow", () => {
  it("draws each strip of columns once, in the order of its column, within the paper", () => {
    fc.assert(
      fc.property(heights, heights, fc.integer({ min: 0, max: 600 }), (left, right, before) => {
        const drawn = placed((named) => [
          space(before),
          ...marked(
            padded(
              indented(
                [
                  combineColumns([
                    { x: 0, strips: left.map((height, i) => named(`l${i}`, height)) },
                    { x: 100, strips: right.map((height, i) => named(`r${i}`, height)) }
                  ])
                ],
                10
              ),
              3
            ),
            () => {}
          )
        ])
        for (const [side, made] of [
          ["l", left],
          ["r", right]
        ] as const) {
          const own = drawn.filter(({ name }) => name.startsWith(side))
          assert.deepStrictEqual(
            names(own),
            made.map((_, i) => `${side}${i}`)
          )
          for (const [i, one] of own.entries()) {
            assert.isAtMost(one.y + one.height, paper.height - paper.bottom + 0.1)
            const above = own[i - 1]
            if (above?.sheet === one.sheet) assert.isAtLeast(one.y + 0.1, above.y + above.height)
          }
        }
      }),
      runs()
    )
  })

  it("cuts a strip into parts that are as high as it together, where nothing in it resists", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), (height, room) => {
        const [fitting, rest] = combineColumns([{ x: 0, strips: [space(height)] }]).cut!(room)!
        assert.strictEqual(fitting.height, Math.min(height, room))
        assert.strictEqual(fitting.height + rest.height, height)
      }),
      runs()
    )
  })

  it("keeps what is not high in one piece, and what belongs together on one sheet", () => {
    const drawn = placed((named) => [
      space(contentHeight - 100),
      named("heading", 30, { keep: true }),
      combineColumns([{ x: 0, strips: Array.from({ length: 10 }, (_, i) => named(`line ${i}`, 15)) }])
    ])
    assert.deepStrictEqual([...new Set(drawn.map(({ sheet }) => sheet))], [2])
  })

  it("begins what is high where there is room, below its heading", () => {
    const drawn = placed((named) => [
      space(contentHeight - 200),
      named("heading", 30, { keep: true }),
      combineColumns([{ x: 0, strips: Array.from({ length: 80 }, (_, i) => named(`line ${i}`, 15)) }])
    ])
    assert.deepStrictEqual([...new Set(drawn.map(({ sheet }) => sheet))], [1, 2, 3])
  })

  it("draws the head of what goes on on each sheet, and no space at its top", () => {
    const drawn = placed((named) => {
      const head = named("head", 20)
      return Array.from({ length: 100 }, (_, i) => named(`row ${i}`, 30, { head })).flatMap((row) => [row, gap(5)])
    })
    const sheets = new Set(drawn.map(({ sheet }) => sheet))
    assert.strictEqual(names(drawn).filter((name) => name === "head").length, sheets.size)
    for (const sheet of sheets) assert.strictEqual(drawn.find((one) => one.sheet === sheet)!.y, paper.top)
  })

  it("goes on behind what is higher than a sheet and can't be cut", () => {
    const drawn = placed((named) => [
      named("before", 10),
      combineColumns([
        { x: 0, strips: [named("high", 2 * contentHeight), named("below", 10)] },
        { x: 50, strips: [named("beside", 10)] }
      ]),
      named("after", 10)
    ])
    assert.sameMembers(names(drawn), ["before", "high", "below", "beside", "after"])
  })

  it("refuses more sheets than there may be", () => {
    const flow = new Flow(new PdfKit({ autoFirstPage: false }), () => {})
    for (let i = 0; i < maxSheets; i++) flow.newSheet()
    assert.throws(() => flow.newSheet(), BookRefused, /more than 12,000 pages of paper/)
  })

  it("pads what stays with its padding", () => {
    assert.deepStrictEqual(
      [...padded([{ height: 5 }, { height: 6 }], 2)],
      [{ height: 2, keep: true }, { height: 5 }, { height: 6, keep: true }, { height: 2 }]
    )
    assert.strictEqual(heightOf([...padded([], 2)]), 4)
  })
})

describe("Formulas", () => {
  it("gives shapes to TeX, and none to what is no TeX, endless or too long", async () => {
    const formulas = new Formulas()
    const shapeOf = async (tex: string, display = true) => {
      await formulas.prepare(tex, display)
      return formulas.get(tex, display)
    }
    const inline = (await shapeOf(String.raw`\sum_{i=0}^n x_i`, false))!
    const block = (await shapeOf(String.raw`\sum_{i=0}^n x_i`, true))!
    assert.isAbove(block.above + block.below, inline.above + inline.below)
    assert.isAbove(inline.width, 0)
    const set = [
      String.raw`\begin{align} a&=b\\ c&=d \tag{1} \end{align}`,
      String.raw`\color{red}{x} \cancel{y} \boldsymbol{z}`,
      String.raw`\text{漢字 \& für}`,
      String.raw`\begin{array}{|c|c|}\hline 1&2\\ \hline\end{array}`
    ]
    for (const tex of set) assert.isDefined(await shapeOf(tex), tex)
    const refused = [
      String.raw`\frac{unclosed`,
      String.raw`\nosuchmacro`,
      String.raw`\def\a{\a\a}\a`,
      String.raw`\require{html}\href{javascript:alert(1)}{x}`,
      "x".repeat(4_001)
    ]
    for (const tex of refused) assert.isUndefined(await shapeOf(tex), tex.slice(0, 40))
  })
})
