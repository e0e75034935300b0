/** Widths of pictures and columns: handles in a real browser by mouse, finger and keyboard, and the documents they make. */
import { assert, describe, it } from "@effect/vitest"
import type { Block, Document } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { documentNode, documentOf } from "@lectern/editor/DocumentNodes"
import { schema } from "@lectern/editor/EditorSchema"
import { cellStart, deleteColumn, moveColumn } from "@lectern/editor/table/TableCommands"
import { columnLimits, pictureLimits, setColumnWidth, setPictureWidth } from "@lectern/editor/width/Widths"
import * as fc from "fast-check"
import type { Page } from "playwright-core"
import { type Command, EditorState, Selection } from "prosemirror-state"
import { runs } from "../../core/test/Runs.ts"
import { parse } from "../../document/test/markdown/laws.ts"
import { faultsOf } from "../../site/test/Axe.ts"
import { browserOfFile } from "../../site/test/Chromium.ts"
import { edit } from "./EditorPage.ts"

const table = "| A | B |\n| --- | --- |\n| 1 | 2 |\n"
const picture = "![a](https://localhost:4000/picture.svg)\n"
const sized = (width: string) =>
  `<figure><img src="https://localhost:4000/picture.svg" alt="a" width="${width}"><figcaption></figcaption></figure>\n`

const withoutKeys = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, each) => (name === "key" ? undefined : each)))

const columnWidths = ({ nodes }: Document): unknown =>
  Object(nodes.find(({ type }) => type === "table")!.data!["view"])["columnWidths"]

const pictureData = ({ nodes }: Document) => (nodes[0]!.nodes![0] as Block).data!

/** Drags a handle by a number of pixels. `look`: called before the end. */
const drag = async (page: Page, name: string, pixels: number, look?: () => Promise<void>) => {
  const box = (await page.getByRole("separator", { name }).boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + pixels / 2, y)
  await page.mouse.move(x + pixels, y)
  await look?.()
  await page.mouse.up()
}

describe("Widths in the editor", () => {
  const browser = browserOfFile()

  it("of a picture follow the mouse at the end of a drag, as one edit, and Escape cancels it", () =>
    edit(browser(), `${picture}\nText\n`, async ({ document, markdown, page, press }) => {
      const image = page.locator("img")
      await page.waitForFunction(() => globalThis.document.querySelector("img")!.complete)
      const outline = page.locator(".lectern-width-outline")
      const boxes = () =>
        page.locator("img, p").evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))
      await image.hover()
      const before = await boxes()
      await drag(page, "Width of the picture", -100, async () => {
        assert.deepStrictEqual(await boxes(), before)
        assert.deepInclude(await outline.boundingBox(), { width: 300, height: 150 })
        assert.strictEqual(await outline.textContent(), "300 px")
        await press("Escape")
        assert.isFalse(await outline.isVisible())
      })
      assert.strictEqual(await markdown(), `${picture}\nText\n`)
      await drag(page, "Width of the picture", -100)
      assert.strictEqual(await markdown(), `${sized("300")}\nText\n`)
      assert.deepInclude(await image.boundingBox(), { width: 300, height: 150 })
      await drag(page, "Width of the picture", -1_000)
      assert.strictEqual(pictureData(await document())["width"], pictureLimits.px.min)
      await press("Control+z")
      assert.strictEqual(pictureData(await document())["width"], 300)
      await press("Control+z")
      assert.strictEqual(await markdown(), `${picture}\nText\n`)
      await press("Control+y")
      await image.hover()
      await page.getByRole("separator").dblclick()
      assert.strictEqual(await markdown(), `${picture}\nText\n`)
    }))

  it("of a picture in percent stay percent", () =>
    edit(browser(), sized("50%"), async ({ document, page }) => {
      await page.waitForFunction(() => globalThis.document.querySelector("img")!.complete)
      const line = (await page.locator('[data-block="images"]').boundingBox())!.width
      assert.closeTo((await page.locator("figure").boundingBox())!.width, line / 2, 1)
      await page.locator("img").hover()
      await drag(page, "Width of the picture", line / 10)
      assert.deepStrictEqual(pictureData(await document())["width"], { unit: "%", value: 60 })
    }))

  it("of columns follow the mouse, and the table is Markdown again without them", () =>
    edit(browser(), table, async ({ document, markdown, page, press, type }) => {
      const title = page.locator('[data-table="title"]').first()
      await title.click()
      await drag(page, "Width of the column A", 100)
      const before = await title.evaluate((each) => each.getBoundingClientRect().width)
      assert.deepStrictEqual(columnWidths(await document()), { c1: before })
      // The cursor is still in the table.
      await type("x")
      assert.include(await markdown(), `<th width="${before}">Ax</th><th>B</th>`)
      await drag(page, "Width of the column Ax", -2_000)
      assert.strictEqual((await title.boundingBox())!.width, columnLimits.min)
      await press("Control+z", "Control+z", "Control+z")
      assert.strictEqual(await markdown(), Markdown.print(parse(table).document))
      await drag(page, "Width of the column B", 20)
      await page.getByRole("separator", { name: "Width of the column B" }).dblclick()
      assert.strictEqual(await markdown(), Markdown.print(parse(table).document))
    }))

  it("change by the keyboard, from the menus of the column and of the picture", () =>
    edit(browser(), `# One\n\n${table}\n${picture}`, async ({ document, markdown, page, press }) => {
      await page.waitForFunction(() => globalThis.document.querySelector("img")!.complete)
      await page.locator('[data-table="cell"]').nth(1).click()
      await page.getByRole("toolbar", { name: "Table" }).getByRole("button", { name: "Column", exact: true }).click()
      await page.getByRole("menuitem", { name: "Set the width" }).click()
      const separator = page.getByRole("separator", { name: "Width of the column B" })
      const value = async () => Number(await separator.getAttribute("aria-valuenow"))
      assert.isTrue(await separator.evaluate((each) => each === globalThis.document.activeElement))
      assert.match((await separator.getAttribute("aria-valuetext"))!, /^Automatic, \d+ px$/)
      const before = await value()
      await press("ArrowRight", "ArrowRight", "ArrowLeft", "Shift+ArrowRight")
      assert.strictEqual(await value(), before + 60)
      assert.strictEqual(await separator.getAttribute("aria-valuetext"), `${before + 60} px`)
      assert.deepStrictEqual(columnWidths(await document()), { c2: before + 60 })
      assert.deepStrictEqual(await faultsOf(page), [])
      await press("Home")
      assert.strictEqual(String(await value()), await separator.getAttribute("aria-valuemin"))
      await press("End")
      assert.strictEqual(String(await value()), await separator.getAttribute("aria-valuemax"))
      await press("Control+z", "Control+z")
      assert.strictEqual(await value(), before + 60)
      await press("Delete")
      assert.isUndefined(columnWidths(await document()))
      await press("Escape")
      assert.isTrue(await page.evaluate(() => inPage.editor.view.hasFocus()))
      await press("Escape", "Escape", "ArrowDown", "Control+/")
      await page.getByRole("menuitem", { name: "Set the width" }).click()
      await press("ArrowLeft")
      assert.include(await markdown(), sized("390"))
    }))

  it("mirror from right to left", () =>
    edit(browser(), table, async ({ document, page, press }) => {
      await page.evaluate(() => (globalThis.document.documentElement.dir = "rtl"))
      const title = page.locator('[data-table="title"]').first()
      await title.click()
      const before = (await title.boundingBox())!
      const separator = page.getByRole("separator", { name: "Width of the column A" })
      const box = (await separator.boundingBox())!
      assert.closeTo(box.x + box.width / 2, before.x, 1)
      await drag(page, "Width of the column A", -50)
      const width = Math.round(before.width + 50)
      assert.deepStrictEqual(columnWidths(await document()), { c1: width })
      await separator.focus()
      await press("ArrowLeft", "ArrowLeft", "ArrowRight")
      assert.deepStrictEqual(columnWidths(await document()), { c1: width + 10 })
    }))

  it("follow a finger in a window of 360 pixels, and are visible in forced colors", () =>
    edit(browser(), `${picture}\n${table}`, async ({ document, page }) => {
      await page.setViewportSize({ width: 360, height: 640 })
      await page.emulateMedia({ forcedColors: "active" })
      await page.waitForFunction(() => globalThis.document.querySelector("img")!.complete)
      const session = await page.context().newCDPSession(page)
      await session.send("Emulation.setTouchEmulationEnabled", { enabled: true })
      const touch = (type: "touchStart" | "touchMove" | "touchEnd", x = 0, y = 0) =>
        session.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] })
      const image = (await page.locator("img").boundingBox())!
      assert.isAtMost(image.x + image.width, 360)
      await touch("touchStart", image.x + 50, image.y + 50)
      await touch("touchEnd")
      const separator = page.getByRole("separator", { name: "Width of the picture" })
      const box = (await separator.boundingBox())!
      assert.isAtMost(box.x + box.width, 360)
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await touch("touchStart", x, y)
      await touch("touchMove", x - 30, y)
      await touch("touchMove", x - 80, y)
      const colors = await page.evaluate(() => {
        const [handle, outline] = ["", "-outline"].map((name) =>
          globalThis.document.querySelector(`.lectern-width${name}`)!
        )
        return [getComputedStyle(handle!, "::before").borderLeftColor, getComputedStyle(outline!).borderLeftColor]
      })
      await touch("touchEnd")
      assert.strictEqual(pictureData(await document())["width"], Math.round(image.width) - 80)
      const background = await page.evaluate(
        () => getComputedStyle(globalThis.document.documentElement).backgroundColor
      )
      for (const color of colors) assert.notStrictEqual(color, background)
      assert.isAtMost(await page.evaluate(() => globalThis.document.documentElement.scrollWidth), 360)
    }))

  it("of a column are deleted with the column, and move with it", () => {
    const before = parse(table).document
    let state = EditorState.create({ schema, doc: documentNode(before) })
    const run = (command: Command) =>
      command(state, (tr) => {
        state = state.apply(tr)
      })
    run(setColumnWidth(0, "c1", 100))
    run(setColumnWidth(0, "c2", 200))
    const cell = cellStart({ table: state.doc.firstChild!, position: 0, row: 0, column: 0 }, 1, 1)
    state = state.apply(state.tr.setSelection(Selection.near(state.doc.resolve(cell + 1))))
    run(moveColumn(-1))
    assert.include(Markdown.print(documentOf(state.doc, before.data)), '<th width="200">B</th><th width="100">A</th>')
    run(deleteColumn)
    assert.deepStrictEqual(columnWidths(documentOf(state.doc, before.data)), { c1: 100 })
  })

  it("are kept by Markdown, and the automatic width is the document without them", () => {
    const width = (limits: { readonly min: number; readonly max: number }) =>
      fc.option(fc.integer(limits), { nil: undefined })
    const before = parse(`${table}\n${picture}`).document
    const root = documentNode(before)
    const positions = new Map<string, number>()
    root.descendants((node, position) => {
      positions.set(node.type.name, position)
    })
    fc.assert(
      fc.property(
        fc.array(fc.record({ column: fc.constantFrom("c1", "c2"), width: width(columnLimits) }), { maxLength: 4 }),
        width(pictureLimits.px),
        (columns, pictureWidth) => {
          let state = EditorState.create({ schema, doc: root })
          const run = (command: Command) =>
            command(state, (tr) => {
              state = state.apply(tr)
            })
          for (const each of columns) run(setColumnWidth(positions.get("table")!, each.column, each.width))
          run(setPictureWidth(positions.get("image")!, pictureWidth))
          state.doc.check()
          const after = documentOf(state.doc, before.data)
          assert.deepStrictEqual(withoutKeys(parse(Markdown.print(after)).document), withoutKeys(after))
          for (const column of ["c1", "c2"]) run(setColumnWidth(positions.get("table")!, column, undefined))
          run(setPictureWidth(positions.get("image")!, undefined))
          assert.deepStrictEqual(documentOf(state.doc, before.data), before)
        }
      ),
      runs(100)
    )
  })
})
