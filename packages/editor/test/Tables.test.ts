/** Tables in a real browser: keys, rows, columns, types of columns. */
import { assert, describe, it } from "@effect/vitest"
import { browserOfFile } from "../../site/test/Chromium.ts"
import { edit } from "./EditorPage.ts"

const table = "| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n"

/** Returns the cells of a table in Markdown, row by row. */
const cellsOf = (markdown: string): string =>
  markdown
    .trim()
    .split("\n")
    .filter((line) => !/^\|[ -]*-[ |-]*$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim())
        .join(",")
    )
    .join(" ")

describe("Tables in the editor", () => {
  const browser = browserOfFile()

  it("go from cell to cell by Tab, Enter and arrows, and grow after the last one", () =>
    edit(browser(), table, async ({ document, markdown, page, press, type }) => {
      await page.locator('[data-table="cell"] p').first().click()
      await press("End")
      await type("a")
      await press("Tab", "End")
      await type("b")
      await press("Enter", "End")
      await type("c")
      await press("ArrowUp", "ArrowUp", "End")
      await type("d")
      await press("ArrowDown", "ArrowDown", "Tab")
      await type("e")
      await press("Enter")
      await type("f")
      assert.strictEqual(cellsOf(await markdown()), "A,Bd 1a,2b 3,4c e, f,")
      const ids = Object.keys(Object((await document()).nodes[0]!.data!["records"]))
      assert.strictEqual(new Set(ids).size, 4)
    }))

  it("add, move and delete rows and columns, and keep ids of rows", () =>
    edit(browser(), table, async ({ document, markdown, page, press }) => {
      const choose = async (menu: string, entry: string) => {
        await page.getByRole("toolbar", { name: "Table" }).getByRole("button", { name: menu, exact: true }).click()
        await page.getByRole("menuitem", { name: entry, exact: true }).click()
      }
      const ids = async () => Object.keys(Object((await document()).nodes[0]!.data!["records"]))
      const [first, second] = await ids()
      await page.locator('[data-table="cell"] p').first().click()
      await choose("Row", "Move down")
      assert.deepStrictEqual(await ids(), [second, first])
      assert.strictEqual(cellsOf(await markdown()), "A,B 3,4 1,2")
      await choose("Row", "Add a row above")
      await choose("Column", "Move after")
      assert.strictEqual(cellsOf(await markdown()), "B,A 4,3 , 2,1")
      await choose("Column", "Add a column before")
      await page.keyboard.type("x")
      await choose("Row", "Delete row")
      assert.strictEqual(cellsOf(await markdown()), "B,,A 4,,3 2,,1")
      await choose("Column", "Delete column")
      await page.getByRole("button", { name: "Cards" }).click()
      assert.deepStrictEqual(Object((await document()).nodes[0]!.data!["view"]).type, "cards")
      await page.getByRole("button", { name: "Cards" }).click()
      await press("Control+z", "Control+z", "Control+z")
      assert.strictEqual(cellsOf(await markdown()), "B,,A 4,,3 2,,1")
    }))

  it("have columns of numbers, boxes and options, whose values are edited in place", () =>
    edit(browser(), "| A | B |\n| --- | --- |\n| 1 | red |\n| many | blue |\n", async ({ document, page, press }) => {
      const setType = async (type: string) => {
        await page.getByRole("toolbar", { name: "Table" }).getByRole("button", { name: "Column", exact: true }).click()
        await page.getByRole("menuitem", { name: "Type of the column" }).click()
        await page.getByRole("menuitemcheckbox", { name: type }).click()
      }
      await page.locator('[data-table="cell"] p').nth(1).click()
      await setType("Select")
      await page.locator('[data-table="cell"] p').first().click()
      await setType("Number")
      await page.getByRole("spinbutton", { name: "A" }).fill("12")
      await press("Tab")
      await page.getByRole("combobox", { name: "B" }).first().selectOption("blue")
      const data = Object((await document()).nodes[0]!.data)
      const records = Object.values(Object(data.records)).map((record) => Object(record).values)
      const [a, b] = data.view.columns
      assert.deepStrictEqual(records[0], { [a]: 12, [b]: ["o2"] })
      // A text that is no number stays.
      assert.isString(records[1][a])
      assert.deepStrictEqual(records[1][b], ["o2"])
    }))
})
