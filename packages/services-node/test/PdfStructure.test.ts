/** PDFs as they are read aloud: their language, their parts, and the order of those. */
import { assert, describe, it } from "@effect/vitest"
import * as Markdown from "@lectern/document/markdown/Markdown"
import type { Locale } from "@lectern/core/customization/Customization"
import type { Language } from "@lectern/core/schema/Language"
import type { Timestamp } from "@lectern/core/schema/Text"
import { writeBook } from "@lectern/services-node/pdf/BookWriter"
import { getDocument, OPS } from "pdfjs-dist/legacy/build/pdf.mjs"
import { crc32, deflateSync, inflateSync } from "node:zlib"
import { readPdf } from "./PdfReading.ts"

interface Node {
  readonly role: string
  readonly alt?: string
  readonly lang?: string
  readonly text: string
  readonly children: ReadonlyArray<Node>
}

/** The structure of each sheet, with the text of its elements. */
const read = async (pdf: Uint8Array) => {
  const task = getDocument({ data: Uint8Array.from(pdf), verbosity: 0 })
  const document = await task.promise
  const sheets: Array<Node> = []
  const outside: Array<string> = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent({ includeMarkedContent: true })
    const texts = new Map<string, string>()
    const open: Array<string | undefined> = []
    for (const item of items) {
      if ("str" in item) {
        const id = open.findLast((one) => one !== undefined)
        if (id === undefined) outside.push(item.str)
        else texts.set(id, (texts.get(id) ?? "") + item.str)
      } else if (item.type === "endMarkedContent") open.pop()
      else open.push(item.id)
    }
    const nodeOf = (node: any): Node => ({
      role: node.role,
      ...(node.alt !== undefined && { alt: node.alt }),
      ...(node.lang !== undefined && { lang: node.lang }),
      text: node.children.map((kid: any) => (kid.type === "content" ? (texts.get(kid.id) ?? "") : "")).join(""),
      children: node.children.flatMap((kid: any) => (kid.role === undefined ? [] : [nodeOf(kid)]))
    })
    const tree = await page.getStructTree()
    if (tree !== null) sheets.push(nodeOf(tree))
  }
  const { metadata } = await document.getMetadata()
  // Its types say that it answers an object.
  const marked = ((await document.getMarkInfo()) as unknown as Map<string, boolean> | null)?.get("Marked")
  await task.destroy()
  return { sheets, outside, marked, title: metadata?.get("dc:title") }
}

/** Every sign that is drawn, blanks among them, as the text that it stands for. */
const glyphsOf = async (pdf: Uint8Array) => {
  const task = getDocument({ data: Uint8Array.from(pdf), verbosity: 0 })
  const page = await (await task.promise).getPage(1)
  const { fnArray, argsArray } = await page.getOperatorList()
  await task.destroy()
  const signs = argsArray.flatMap((args, i) => (fnArray[i] === OPS.showText ? args[0] : []))
  return signs.map((sign: any) => sign?.unicode ?? "").join("")
}

/** The objects of a PDF that are packed. */
const objectsOf = (pdf: Uint8Array): string =>
  Array.from(
    Buffer.from(pdf)
      .toString("latin1")
      .matchAll(/\/ObjStm[^]*?stream\n([^]*?)\nendstream/g),
    ([, stream]) => inflateSync(Buffer.from(stream!, "latin1")).toString("latin1")
  ).join("")

/** One element a line, by its depth. */
const drawn = (node: Node, depth = 0): ReadonlyArray<string> => [
  `${"  ".repeat(depth)}${node.role}${node.alt === undefined ? "" : ` (${node.alt})`}${node.text === "" ? "" : `: ${node.text.trim()}`}`,
  ...node.children.flatMap((child) => drawn(child, depth + 1))
]

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Eight by eight pixels, one of which may be seen through: `pdfkit` takes its time for those. */
const picture = Buffer.concat([
  Buffer.from("89504e470d0a1a0a", "hex"),
  chunk("IHDR", Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 4, 0, 0, 0])),
  chunk("IDAT", deflateSync(Buffer.alloc(136))),
  chunk("IEND", Buffer.alloc(0))
])

const written = (
  pages: ReadonlyArray<string>,
  { title = "Handbook", ...tongues }: { title?: string; language?: Language; locale?: Locale } = {}
) => {
  let key = 0
  return writeBook(
    {
      title,
      ...tongues,
      revision: "r",
      date: "2026-01-02T03:04:05.000Z" as Timestamp,
      pages: pages.map((_, i) => ({ id: `p${i}`, type: "document", title: `Page ${i}`, depth: 0 }))
    },
    {
      document: async (id) => {
        const parsed = Markdown.parse(pages[Number(id.slice(1))]!, { nextKey: () => `k${key++}` }).document
        // As if the picture had been brought along.
        return JSON.parse(
          JSON.stringify(parsed).replaceAll('{"kind":"url","url":"pixel.png"}', '{"kind":"file","file":"f"}')
        )
      },
      file: async () => ({ name: "pixel.png", contentType: "image/png", size: picture.length, bytes: picture })
    }
  )
}

const linesOf = async (markdown: string) => {
  const { sheets } = await read(await written([markdown]))
  // Below the root, the document, the part of the page, and its title.
  return sheets.flatMap((sheet) => sheet.children[0]!.children[0]!.children.flatMap((node) => drawn(node))).slice(1)
}

describe("The structure of a PDF", () => {
  it("tells its language and its title", async () => {
    const pdf = await written(["x"], { title: "A & B <c>", language: "de" })
    const { title, marked } = await read(pdf)
    const { language } = await readPdf(pdf)
    assert.deepStrictEqual({ language, title, marked }, { language: "de", title: "A & B <c>", marked: true } as never)
  })

  it("says what it says by itself in the language of the content, or in the one that was chosen", async () => {
    const wordsIn = async (tongues: { language?: Language; locale?: Locale }) => {
      const pages = ["{% prompt %}\nx\n{% endprompt %}\n\n![Sky](sky.png)", ""]
      const { sheets } = await read(await written(pages, { title: "A", ...tongues }))
      const partOf = (sheet: number) => sheets[sheet]!.children[0]!.children[0]!.children
      const [, day] = partOf(0)
      const [contents] = partOf(1)
      return [day!.text, contents!.text, contents!.lang, ...drawn(sheets[2]!).slice(-1)]
    }
    assert.deepStrictEqual(await wordsIn({}), ["January 2, 2026", "Contents", "en", "        P: [Image: Sky, sky.png]"])
    assert.deepStrictEqual((await wordsIn({ language: "de" })).slice(0, 3), ["2. Januar 2026", "Inhalt", "de"])
    assert.deepStrictEqual((await wordsIn({ language: "it" })).slice(0, 3), ["2 gennaio 2026", "Contents", "en"])
    const chosen = await wordsIn({ language: "it", locale: "fr" })
    assert.deepStrictEqual(chosen.slice(0, 3), ["2 janvier 2026", "Sommaire", "fr"])
  })

  it("has headings, none of which is left out, paragraphs and links", async () => {
    const lines = await linesOf("## One\n\nSee [there](https://example.com) and *here*.\n\n#### Two\n\n### Three\n")
    assert.deepStrictEqual(lines, ["H2: One", "P: See and here.", "  Link: there", "H3: Two", "H3: Three"])
  })

  it("has lists with their numbers, quotes, code and formulas", async () => {
    const lines = await linesOf("3. a\n4. b\n   * c\n\n> q\n\n```js\nlet x\n```\n\n$$\na^2\n$$\n")
    assert.deepStrictEqual(lines, [
      "L",
      "  LI",
      "    Lbl: 3.",
      "    LBody: a",
      "  LI",
      "    Lbl: 4.",
      "    LBody",
      "      P: b",
      "      L",
      "        LI",
      "          LBody: c",
      "BlockQuote",
      "  P: q",
      "P",
      "  Code: let x",
      "P",
      "  Formula (a^2): a^2"
    ])
  })

  it("has tables whose header is read once, however many sheets it is drawn on", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `| r${i} | y |`)
    const { sheets, outside } = await read(await written([`| Name | B |\n| --- | --- |\n${rows.join("\n")}\n`]))
    const lines = sheets.flatMap((sheet) => drawn(sheet).map((line) => line.trim()))
    assert.isAbove(sheets.length, 1)
    assert.strictEqual(lines.filter((line) => line === "TH: Name").length, 1)
    for (const i of rows.keys()) assert.strictEqual(lines.filter((line) => line === `TD: r${i}`).length, 1)
    assert.include(outside, "Name")
  })

  it("has pictures with what they show, or with their caption", async () => {
    const figure = (alt: string, caption: string) =>
      `<figure><img src="pixel.png" alt="${alt}"><figcaption><p>${caption}</p></figcaption></figure>\n\n`
    const lines = await linesOf(`${figure("A cat", "Fig. 1")}${figure("", "Fig. 2")}`)
    assert.deepStrictEqual(lines, ["Figure (A cat)", "P: Fig. 1", "Figure (Fig. 2)", "P: Fig. 2"])
  })

  it("leaves a space between the words before and behind the end of a line", async () => {
    const words = Array.from({ length: 200 }, (_, i) => `word${i}`).join(" ")
    assert.include(await glyphsOf(await written([words])), words)
  })

  it("reads from the right in the order of the text", async () => {
    const pdf = await written(["שלום עולם and then עוד"])
    const { sheets } = await read(pdf)
    const [paragraph] = sheets[0]!.children[0]!.children[0]!.children.slice(1)
    assert.strictEqual(paragraph!.text.trim(), "and then")
    assert.deepStrictEqual(
      paragraph!.children.map(({ role }) => role),
      ["Span", "Span"]
    )
    for (const said of ["שלום עולם", "עוד"]) {
      assert.include(objectsOf(pdf), Buffer.from(said, "utf16le").swap16().toString("latin1"))
    }
  })

  it("gives back the text that was written, however its letters are drawn", async () => {
    const texts = ["العربية (إله) لأن", "سن ۱۲۳", "किताब प्रार्थना र्क", "น้ำ กำลัง ตั้งใจ"]
    const task = getDocument({ data: Uint8Array.from(await written([texts.join("\n\n")])), verbosity: 0 })
    const { items } = await (await (await task.promise).getPage(1)).getTextContent()
    await task.destroy()
    const found = items.map((item) => ("str" in item ? item.str : "")).join("")
    // Between words that run to the left pdf.js leaves out the blank.
    for (const said of texts) assert.include(found.replaceAll(" ", ""), said.replaceAll(" ", ""))
  })

  it("is made of words whose marks have no place on their letters", async () => {
    const { pages } = await readPdf(await written(["كافٍ"]))
    for (const sign of "كافٍ") assert.include(pages[0]!, sign)
  })

  it("has tables that are read from the right with their first column at the right", async () => {
    const table = (first: string) => `| ${first} | القيمة |\n| --- | --- |\n| ${first} | two |\n| | |\n`
    const linesOf = async (first: string) => {
      const { pages } = await readPdf(await written([table(first)]))
      const lines = pages[0]!.replaceAll(" ", "").split("\n")
      return lines.filter((line) => /القيمة|two/.test(line))
    }
    assert.deepStrictEqual(await linesOf("الاسم"), ["القيمةالاسم", "twoالاسم"])
    assert.deepStrictEqual(await linesOf("Name"), ["Nameالقيمة", "Nametwo"])
  })

  it("has the labels of footnotes at the side from which these are read", async () => {
    const lineOf = async (said: string) => {
      const { pages } = await readPdf(await written([`a[^1] b[^1]\n\n[^1]: ${said}\n`]))
      const lines = pages[0]!.replaceAll(" ", "").split("\n")
      return lines.find((line) => line.includes(said))
    }
    assert.strictEqual(await lineOf("words"), "[1]words")
    assert.strictEqual(await lineOf("حاشية"), "حاشية[1]")
  })

  it("has running heads in the order that they are read in where they run from right to left", async () => {
    const { pages } = await readPdf(await written(["a", "b"], { title: "دليل المستخدم" }))
    const [, head] = /(.*)Contents\n/.exec(pages[1]!)!
    assert.deepStrictEqual(
      head!.split(" ").filter((word) => word !== ""),
      ["المستخدم", "دليل"]
    )
  })

  it("has the contents as a list of links, and running heads and numbers as nothing to read", async () => {
    const { sheets, outside } = await read(await written(["## Same", "b"]))
    assert.deepStrictEqual(drawn(sheets[1]!.children[0]!), [
      "Document",
      "  Sect",
      "    H1: Contents",
      "    TOC",
      "      TOCI",
      "        Reference",
      "          Link: Page 03",
      "      TOCI",
      "        Reference",
      "          Link: Page 14"
    ])
    assert.sameMembers(
      [...new Set(outside.filter((text) => text.trim() !== ""))],
      ["Handbook", "Contents", "Page 0", "Page 1", "2", "3", "4"]
    )
  })
})
