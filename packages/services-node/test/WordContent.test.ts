/** Tests that numbers of lists, formulas, tables and lists in cells of a Word document are kept in the imported page. */
import { assert, describe, it } from "@effect/vitest"
import { zipSync } from "fflate"
import * as WordDocument from "../src/source/WordDocument.ts"

const w = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
const m = `xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"`
const packages = "http://schemas.openxmlformats.org/package/2006"
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

const level = (depth: number, format: string, start = 1) =>
  `<w:lvl w:ilvl="${depth}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/></w:lvl>`
const numbering =
  `<w:abstractNum w:abstractNumId="0">${level(0, "decimal")}${level(1, "lowerLetter", 3)}</w:abstractNum>` +
  `<w:abstractNum w:abstractNumId="1">${level(0, "bullet")}</w:abstractNum>` +
  `<w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:pStyle w:val="Step"/></w:lvl></w:abstractNum>` +
  `<w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num>` +
  `<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>` +
  `<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>`
const styles = `<w:style w:type="paragraph" w:styleId="Step"><w:name w:val="Step"/><w:pPr><w:numPr><w:numId w:val="4"/></w:numPr></w:pPr></w:style>`

const read = (body: string) => {
  const parts: { readonly [path: string]: string } = {
    "[Content_Types].xml": `<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/_rels/document.xml.rels": `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/numbering" Target="numbering.xml"/><Relationship Id="r2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    "word/numbering.xml": `<w:numbering ${w}>${numbering}</w:numbering>`,
    "word/styles.xml": `<w:styles ${w}>${styles}</w:styles>`,
    "word/document.xml": `<w:document ${w} ${m}><w:body>${body}</w:body></w:document>`
  }
  const bytes = Object.entries(parts).map(([path, text]) => [path, new TextEncoder().encode(text)])
  return WordDocument.read(zipSync(Object.fromEntries(bytes)), { embedded: "e" })
}
const markdownOf = async (body: string) => (await read(body)).markdown

const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string, properties = "") => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`
const item = (text: string, list = 1, depth = 0) =>
  paragraph(run(text), `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`)
const text = (value: string) => paragraph(run(value))
const cell = (content: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`
const row = (cells: ReadonlyArray<string>, properties = "") =>
  `<w:tr><w:trPr>${properties}</w:trPr>${cells.join("")}</w:tr>`
const table = (...rows: ReadonlyArray<string>) => `<w:tbl>${rows.join("")}</w:tbl>`

describe("Lists of Word", () => {
  it("count on after text, with the numbers that Word shows", async () => {
    const markdown = await markdownOf(
      item("one") +
        item("two") +
        text("between") +
        item("three") +
        item("c", 1, 1) +
        item("d", 1, 1) +
        text("again") +
        item("e", 1, 1) +
        item("four")
    )
    assert.strictEqual(
      markdown,
      "1. one\n2. two\n\nbetween\n\n3. three\n\n   3. c\n   4. d\n\nagain\n\n* 5. e\n\n4. four\n"
    )
  })

  it("begin where their numbering or their list states, also by a style, and are separate where numbers jump", async () => {
    const styled = (value: string) => paragraph(run(value), `<w:pStyle w:val="Step"/>`)
    assert.strictEqual(await markdownOf(item("a", 3) + item("b", 3)), "7. a\n8. b\n")
    assert.strictEqual(await markdownOf(styled("a") + text("x") + styled("b")), "1. a\n\nx\n\n2. b\n")
    assert.match(await markdownOf(item("a") + item("b", 3) + item("c", 3)), /^1[.)] a\n+7[.)] b\n8[.)] c\n$/)
    assert.strictEqual(await markdownOf(item("a", 2) + text("x") + item("b", 2)), "* a\n\nx\n\n* b\n")
  })
})

describe("Formulas of Word", () => {
  const r = (value: string, properties = "") => `<m:r><m:rPr>${properties}</m:rPr><m:t>${value}</m:t></m:r>`
  const e = (value: string, name = "e") => `<m:${name}>${value}</m:${name}>`
  const set = (name: string, ...properties: ReadonlyArray<readonly [name: string, value: string]>) =>
    `<m:${name}>${properties.map(([one, value]) => `<m:${one} m:val="${value}"/>`).join("")}</m:${name}>`

  it.each([
    ["fractions", `<m:f>${e(r("a"), "num")}${e(r("b"), "den")}</m:f>`, "\\frac{a}{b}"],
    ["scripts", `<m:sSubSup>${e(r("x"))}${e(r("1"), "sub")}${e(r("2"), "sup")}</m:sSubSup>`, "x_{1}^{2}"],
    ["bases of scripts", `<m:sSup>${e(r("a+b"))}${e(r("2"), "sup")}</m:sSup>`, "{a+b}^{2}"],
    ["radicals", `<m:rad><m:deg>${r("3")}</m:deg>${e(r("x"))}</m:rad>`, "\\sqrt[3]{x}"],
    ["square roots", `<m:rad>${set("radPr", ["degHide", "1"])}<m:deg/>${e(r("x"))}</m:rad>`, "\\sqrt{x}"],
    [
      "n-ary operators",
      `<m:nary>${set("naryPr", ["chr", "∑"], ["limLoc", "undOvr"])}${e(r("i=1"), "sub")}${e(r("n"), "sup")}${e(r("i"))}</m:nary>`,
      "\\sum_{i=1}^{n} i"
    ],
    [
      "delimiters",
      `<m:d>${set("dPr", ["begChr", "{"], ["endChr", ""])}${e(r("x"))}${e(r("y"))}</m:d>`,
      "\\left\\{ x \\middle| y \\right."
    ],
    [
      "matrices",
      `<m:m><m:mr>${e(r("a"))}${e(r("b"))}</m:mr><m:mr>${e(r("c"))}</m:mr></m:m>`,
      "\\begin{matrix} a & b \\\\ c \\end{matrix}"
    ],
    ["functions", `<m:func>${e(r("sin", set("sty", ["x", ""])), "fName")}${e(r("x"))}</m:func>`, "\\sin {x}"],
    ["accents", `<m:acc>${set("accPr", ["chr", "\u20d7"])}${e(r("v"))}</m:acc>`, "\\vec{v}"],
    [
      "limits",
      `<m:limLow>${e(r("lim", set("a") + `<m:sty m:val="p"/>`))}${e(r("x→0"), "lim")}</m:limLow>`,
      "\\lim_{x\\to 0}"
    ],
    ["letters and signs", r("αβ≤𝑥 50% {"), "\\alpha \\beta \\leq x 50\\% \\{"],
    ["text", r("if &amp; only", "<m:nor/>"), "\\text{if \\& only}"],
    ["unknown elements", `<m:new>${e(r("x"))}</m:new>`, "x"]
  ])("%s", async (_, omml, latex) => {
    assert.strictEqual(
      await markdownOf(paragraph(`${run("a ")}<m:oMath>${omml}</m:oMath>${run(" b")}`)),
      `a $$${latex}$$ b\n`
    )
  })

  it("stand on lines of their own where Word shows them so, and in the text of cells and notes", async () => {
    const formula = `<m:oMath>${r("x")}</m:oMath>`
    assert.strictEqual(
      await markdownOf(text("a") + paragraph(`<m:oMathPara>${formula}</m:oMathPara>`)),
      "a\n\n$$\nx\n$$\n"
    )
    assert.include(await markdownOf(table(row([cell(paragraph(formula))]))), "<td>$$x$$</td>")
  })

  it("become text where they nest too deeply", async () => {
    const deep = `${"<m:e>".repeat(200)}${r("x{")}${"</m:e>".repeat(200)}`
    assert.strictEqual(await markdownOf(paragraph(`<m:oMath>${deep}</m:oMath>`)), "$$x\\{$$\n")
  })
})

describe("Tables of Word", () => {
  const simple = (...values: ReadonlyArray<string>) => values.map((value) => cell(text(value)))

  it("have a header only where Word marks one", async () => {
    const header = "<w:tblHeader/>"
    assert.strictEqual(
      await markdownOf(table(row(simple("a", "b"), header), row(simple("c", "d")))),
      "| a | b |\n| --- | --- |\n| c | d |\n"
    )
    for (const none of ["", `<w:tblHeader w:val="false"/>`]) {
      assert.strictEqual(
        await markdownOf(table(row(simple("a"), none), row(simple("b")))),
        "<table data-header-hidden><thead><tr><th></th></tr></thead><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></table>\n"
      )
    }
  })

  it("keep merged cells, and columns that a row leaves out at its start", async () => {
    const body = (...rows: ReadonlyArray<string>) => new RegExp(rows.join("").replaceAll("/", "\\/"))
    const merged = row([cell(text("a"), `<w:vMerge w:val="restart"/>`), cell(text("b"), `<w:gridSpan w:val="2"/>`)])
    const below = row([cell(text(""), "<w:vMerge/>"), ...simple("c", "d")])
    assert.match(
      await markdownOf(table(merged, below)),
      body(`<tr><td rowspan="2">a</td><td colspan="2">b</td></tr>`, "<tr><td>c</td><td>d</td></tr>")
    )
    const late = row(simple("c"), `<w:gridBefore w:val="1"/>`)
    assert.match(await markdownOf(table(row(simple("a", "b")), late)), body("<tr><td></td><td>c</td></tr>"))
  })

  it("keep lists and numbers in cells", async () => {
    const markdown = await markdownOf(item("one") + table(row([cell(text("a") + item("two") + item("x", 2))])))
    assert.include(markdown, `<td><p>a</p><ol start="2"><li>two</li></ol><ul><li>x</li></ul></td>`)
  })

  it("report the structure that a document can't have, and lose no text", async () => {
    const inner = table(row(simple("b", "c")), row(simple("d", "e")))
    const { markdown, problems } = await read(table(row([cell(text("a")), cell(inner + text("f"))])))
    assert.include(markdown, "<td>a</td><td><p>b | c</p><p>d | e</p><p>f</p></td>")
    assert.deepStrictEqual(problems, ["Tables in cells of other tables became paragraphs: 1"])
    const header = row([cell(text("g"), `<w:gridSpan w:val="2"/>`)], "<w:tblHeader/>")
    const headed = await read(table(header, row(simple("h", "i"))))
    assert.include(headed.markdown, `<tr><td colspan="2"><strong>g</strong></td></tr><tr><td>h</td><td>i</td></tr>`)
    assert.deepStrictEqual(headed.problems, ["Header rows with merged cells became the first row of their table: 1"])
  })
})
