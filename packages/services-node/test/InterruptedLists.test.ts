/** Tests that Word lists continue counting after a picture. */
import { assert, describe, it } from "@effect/vitest"
import * as InterruptedLists from "../src/source/InterruptedLists.ts"

const item = (text: string, list = "7", level = "0") =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const picture = `<w:p w:rsid="1"><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:drawing><x/></w:drawing></w:r></w:p>`
const plain = "<w:p><w:r><w:t>text</w:t></w:r></w:p>"
const document = (body: string) =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`
const joined = (body: string) => InterruptedLists.joinLists(document(body))

const inItem = "<w:r><w:br/></w:r><w:r><w:drawing><x/></w:drawing></w:r></w:p>"

describe("Lists that a picture interrupts", () => {
  it("have it in the item before", () => {
    const [head] = item("a").split("</w:p>")
    assert.strictEqual(joined(item("a") + picture + item("b")), document(`${head}${inItem}${item("b")}`))
    const two = joined(item("a") + picture + picture + item("b"))
    assert.strictEqual(two.split("<w:br/>").length, 3)
    assert.strictEqual(two.split("<w:p>").length + two.split("<w:p ").length, 4)
    const cell = `<w:tbl><w:tr><w:tc>${item("a")}${picture}${item("b")}</w:tc></w:tr></w:tbl>`
    assert.include(joined(cell), inItem)
  })

  it.each([
    item("a") + picture + plain + item("b"),
    item("a") + picture + item("b", "8"),
    item("a") + picture + item("b", "7", "1"),
    picture + item("a") + item("b") + picture,
    item("a", "0") + picture + item("b", "0"),
    `${item("a")}<w:tbl><w:tr><w:tc>${picture}</w:tc></w:tr></w:tbl>${item("b")}`
  ])("and everything else is as it was: %#", (body) => assert.strictEqual(joined(body), document(body)))
})
