/** The thread that writes PDFs: what is in them, read back, within bounds, and nobody waits for it. */
import { serialize } from "@lectern/core/content/documents/StoredDocument"
import { createHash } from "node:crypto"
import { crc32, deflateSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import type { Block, Document } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { type Book, type BookFile, type BookPage, PdfWriter } from "@lectern/core/pdf/PdfWriter"
import type { Timestamp } from "@lectern/core/schema/Text"
import { NodePdfWriter, type NodePdfWriterOptions } from "@lectern/services-node/pdf/NodePdfWriter"
import { Effect, Fiber } from "effect"
import { readPdf } from "./PdfReading.ts"

const keys = () => {
  let count = 0
  return () => `k${count++}`
}

const fromMarkdown = (text: string): Document => Markdown.parse(text, { nextKey: keys() }).document

interface Written {
  readonly title?: string
  readonly depth?: number
  readonly document: string | ReadonlyArray<Block>
}

const bookOf = (written: ReadonlyArray<Written>, files: Readonly<Record<string, BookFile>> = {}): Book => ({
  title: "Handbook",
  revision: "r",
  date: "2026-01-02T03:04:05.000Z" as Timestamp,
  pages: written.map(({ title, depth }, i): BookPage => ({
    id: `p${i}`,
    type: "document",
    title: title ?? `Page ${i}`,
    depth: depth ?? 0
  })),
  document: (page) =>
    Effect.sync(() => {
      const { document } = written[Number(page.slice(1))]!
      return serialize(
        typeof document === "string" ? fromMarkdown(document) : { object: "document", data: {}, nodes: document }
      )
    }),
  file: (id) => Effect.succeed(files[id])
})

const writing = (book: Book, options?: NodePdfWriterOptions) =>
  PdfWriter.use(({ write }) => write(book)).pipe(Effect.provide(NodePdfWriter.layer(options)))

const reading = (book: Book) => Effect.flatMap(writing(book), (bytes) => Effect.promise(() => readPdf(bytes)))

const page = (document: Written["document"], files?: Readonly<Record<string, BookFile>>) =>
  reading(bookOf([{ title: "Page", document }], files))

const text = (value: string): NonNullable<Block["nodes"]> => [
  { object: "text", leaves: [{ object: "leaf", text: value, marks: [] }] }
]

const block = (type: string, rest: Partial<Block> = {}): Block => ({ object: "block", type, key: type, ...rest })

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG of red with alpha; `claimed` is what its header says of its size. */
const png = (size: number, claimed = size): Uint8Array => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(claimed, 0)
  header.writeUInt32BE(claimed, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(size * 4, Buffer.from([255, 0, 0, 128]))])
  const data = deflateSync(Buffer.concat(Array.from({ length: size }, () => row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))])
}

const imageOf = (file: string): Block => block("image", { data: { ref: { kind: "file", file } }, isVoid: true })

describe("NodePdfWriter", () => {
  it.live("writes a title page, contents with numbers, pages with heads, an outline and links", () =>
    Effect.gen(function* () {
      const book = bookOf([
        {
          title: "Start",
          document: "## First\n\nSee [the other](/pages/p2#deep) and [outside](https://example.com/x)."
        },
        { title: "Guide", document: "## A\n\n### B\n\n## C\n" },
        { title: "Other", depth: 1, document: `${"Text\n\n".repeat(80)}## Deep\n\n[Nowhere](/pages/p0#gone)\n` }
      ])
      const read = yield* reading(book)
      assert.strictEqual(read.title, "Handbook")
      assert.include(read.pages[0]!, "Handbook")
      assert.include(read.pages[0]!, "January 2, 2026")
      assert.match(read.pages[1]!, /Contents[\s\S]*Start ?3\nGuide ?4\nOther ?5/)
      assert.match(read.pages[2]!, /Handbook ?Start\nStart\n[\s\S]*\n3$/)
      assert.deepStrictEqual(read.outline, [
        { title: "Start", items: [{ title: "First", items: [] }] },
        {
          title: "Guide",
          items: [
            { title: "A", items: [{ title: "B", items: [] }] },
            { title: "C", items: [] },
            { title: "Other", items: [{ title: "Deep", items: [] }] }
          ]
        }
      ])
      assert.deepStrictEqual(read.urls, ["https://example.com/x"])
      const last = read.pages.length
      assert.deepStrictEqual(read.jumps, [
        [2, 3],
        [2, 4],
        [2, 5],
        [3, last],
        [last, 3]
      ])
    })
  )

  it.live("gives the same bytes for the same book", () =>
    Effect.gen(function* () {
      const book = bookOf([
        { document: "# One\n\nText with 漢字 and `code`\n" },
        { document: "| a | b |\n| - | - |\n| 1 | 2 |\n" }
      ])
      const [one, two] = yield* Effect.all([writing(book), writing(book)], { concurrency: 2 })
      const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
      assert.strictEqual(hash(one), hash(two))
    })
  )

  it.live("shows all kinds of blocks", () =>
    Effect.gen(function* () {
      const paragraph = (value: string) => block("paragraph", { nodes: text(value) })
      const fragment = (name: string, value: string) =>
        ({ object: "fragment", fragment: name, type: name, nodes: [paragraph(value)] }) as const
      const read = yield* page(
        [
          block("hint", { data: { style: "danger" }, nodes: [paragraph("In a hint")] }),
          block("tabs", {
            nodes: [block("tabs-item", { data: { title: "Tab title" }, nodes: [paragraph("In a tab")] })]
          }),
          block("stepper", { nodes: [block("stepper-step", { nodes: [paragraph("In a step")] })] }),
          block("columns", {
            nodes: [
              block("column", { nodes: [paragraph("Left column")] }),
              block("column", { nodes: [paragraph("Right column")] })
            ]
          }),
          block("expandable", {
            fragments: [fragment("expandable-title", "What expands"), fragment("expandable-body", "What is inside")]
          }),
          block("blockquote", { nodes: [paragraph("Quoted")] }),
          block("code", {
            data: { title: "main.ts", lineNumbers: true },
            nodes: [block("code-line", { nodes: text("const x = 1") })]
          }),
          block("math", { data: { formula: "E = mc^2" } }),
          block("list-tasks", { nodes: [block("list-item", { data: { checked: true }, nodes: [paragraph("Done")] })] }),
          block("embed", {
            data: { url: "https://example.com/video" },
            fragments: [fragment("caption", "Of a video")]
          }),
          block("content-ref", { data: { ref: { kind: "page", page: "p0" } } }),
          block("file", { data: { ref: { kind: "file", file: "f" }, caption: "Of a file" } }),
          block("no-such-block", {
            data: { title: "Of its own" },
            nodes: [paragraph("Kept")],
            fragments: [fragment("x", "Also kept")]
          }),
          block("paragraph", {
            nodes: [
              {
                object: "inline",
                type: "no-such-inline",
                nodes: [{ object: "text", leaves: [{ object: "leaf", text: "Inner", marks: [] }] }]
              },
              { object: "inline", type: "inline-math", data: { formula: "a+b" }, isVoid: true },
              { object: "inline", type: "emoji", data: { code: "1f680" }, isVoid: true }
            ]
          }),
          block("images", { nodes: [imageOf("f")] }),
          block("if", {
            data: { expression: "visitor.claims.a" },
            nodes: [paragraph("For some")],
            fragments: [fragment("else", "For others")]
          }),
          block("integration", {
            data: { integration: "mermaid", block: "diagram", props: { content: "graph TD\n  A --> B" } }
          }),
          block("openapi-schemas", {
            data: { ref: { kind: "openapi", spec: "petstore" }, schemas: ["Pet", "Error"] }
          }),
          block("update", {
            data: { date: "2026-04-09", tags: [{ kind: "tag", tag: "api" }] },
            nodes: [paragraph("What is new")]
          }),
          block("html", { data: { html: "<td>One</td><td>Two</td><script>alert(1)</script>" } })
        ],
        { f: { name: "notes.txt", contentType: "text/plain", size: 1 } }
      )
      const all = read.pages.join("\n")
      const shown = `
        In a hint
        Tab title
        In a tab
        In a step
        Left column
        Right column
        What expands
        What is inside
        Quoted
        main.ts
        const x = 1
        E = mc^2
        Done
        https://example.com/video
        Of a video
        notes.txt
        Of a file
        Of its own
        Kept
        Also kept
        Inner
        a+b
        🚀
        [Image: notes.txt
        If visitor.claims.a
        For some
        Otherwise
        For others
        mermaid/diagram
        A --> B
        Pet, Error
        petstore
        2026-04-09
        What is new
        Two
      `
      for (const said of shown.trim().split(/\n\s*/)) {
        assert.include(all, said)
      }
      assert.notInclude(all, "alert")
    })
  )

  it.live("sets formulas, below which their source is found, and shows what is no TeX as it is written", () =>
    Effect.gen(function* () {
      const { pages } = yield* page(
        "Inline $$\\frac{a}{b}$$ text\n\n$$\n\\begin{pmatrix}1&2\\end{pmatrix}\\text{für 漢字}\n$$\n\n$$\n\\frac{unclosed\n$$\n\n$$\n\\begin{aligned}\na&=b\\\\\n&=c\n\\end{aligned}\n$$\n"
      )
      assert.include(pages[0]!, "\\frac{a}{b}")
      assert.include(pages[0]!, "\\begin{pmatrix}1&2\\end{pmatrix}\\text{für 漢字}")
      assert.include(pages[0]!, "\\frac{unclosed")
      assert.match(pages[0]!, /\\begin\{aligned\}\s*a&=b\\\\\s*&=c\s*\\end\{aligned\}/)
    })
  )

  it.live("puts columns and cards beside one another, and pictures that cells name by their ids", () =>
    Effect.gen(function* () {
      const paragraph = (value: string) => block("paragraph", { nodes: text(value) })
      const column = (value: string) => block("column", { nodes: [paragraph(value)] })
      const cards = block("table", {
        data: {
          view: { type: "cards", columns: ["c1"], coverDefinition: "c2", targetDefinition: "c3" },
          definition: { c1: { type: "text" }, c2: { type: "files" }, c3: { type: "content-ref" } },
          records: {
            r1: { orderIndex: "1", values: { c1: "First", c2: ["f"], c3: { kind: "page", page: "p0" } } },
            r2: { orderIndex: "2", values: { c1: "Second", c2: ["gone"] } }
          }
        }
      })
      const files = { f: { name: "cover.png", contentType: "image/png", size: 1, bytes: png(40) } }
      const document = [block("columns", { nodes: [column("Left"), column("Right")] }), cards]
      const bytes = yield* writing(bookOf([{ title: "Page", document }], files))
      assert.include(Buffer.from(bytes).toString("latin1"), "/Subtype /Image")
      const { pages } = yield* Effect.promise(() => readPdf(bytes))
      assert.match(pages[0]!, /^Left\s*Right$/m)
      assert.match(pages[0]!, /First[\s\S]*Page/)
      assert.match(pages[0]!, /Second[\s\S]*gone|gone[\s\S]*Second/)
    })
  )

  it.live("breaks code where it may, shows cells that span several, and rows that are longer than a sheet", () =>
    Effect.gen(function* () {
      const code = yield* page(`\`\`\`\n${"some_word ".repeat(30)}\n\`\`\``)
      for (const line of code.pages[0]!.split("\n").filter((one) => one.includes("some_"))) {
        assert.match(line, /^(?:some_word ?)+$/)
      }
      const rows = Array.from(
        { length: 90 },
        (_, i) => `<tr>${i === 0 ? '<td rowspan="90">All of it</td>' : ""}<td>n${i}</td></tr>`
      )
      const spanning = yield* page(
        `<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td colspan="2">Over both</td></tr>${rows.join("")}</tbody></table>`
      )
      const all = spanning.pages.join("\n")
      for (const said of ["Over both", "All of it", "n0", "n89"]) assert.include(all, said)
      for (const one of spanning.pages) assert.match(one, /^A\s*B$/m)
      const words = Array.from({ length: 2_000 }, (_, i) => `w${i}`)
      const long = yield* page(`| a | b |\n| - | - |\n| short | ${words.join(" ")} |\n| next | row |`)
      assert.isAbove(long.pages.length, 2)
      assert.deepStrictEqual(long.pages.join("\n").match(/\bw\d+/g), words)
    })
  )

  it.live("writes every script, and a number for what no font has", () =>
    Effect.gen(function* () {
      const said = "Съешь Ξεσκεπάζω Tiếng 我能吞下玻璃 ガラス 나는 สวัสดี नमस्ते ∑ ≤ → ✓ ➜"
      const { pages } = yield* page([block("paragraph", { nodes: text(`${said} 😀 \u{10000}\u0007`) })])
      for (const word of said.split(" ")) assert.include(pages[0]!.normalize("NFC"), word.normalize("NFC"))
      assert.include(pages[0]!, "😀")
      assert.include(pages[0]!, "[U+10000][U+0007]")
    })
  )

  it.live("orders what runs from right to left, with numbers and words that do not", () =>
    Effect.gen(function* () {
      const { pages } = yield* page([block("paragraph", { nodes: text("שלום (עולם) abc 42") })])
      const line = pages[0]!.split("\n").find((one) => one.includes("abc"))!
      // As it stands on paper, from the left.
      assert.isBelow(line.indexOf("abc"), line.indexOf("ש") === -1 ? line.indexOf("ם") : line.indexOf("ש"))
      const arabic = yield* page([block("paragraph", { nodes: text("مرحبا بالعالم") })])
      assert.match(arabic.pages[0]!, /[\u0600-\u06ff\ufb50-\ufefc]{4}/)
    })
  )

  it.live("says the header of a table on each page, and shows all its cells", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 120 }, (_, i) => `| r${i} | ${"words of a cell ".repeat(8)} |`)
      const { pages } = yield* page(["| Key | What it says |", "| - | - |", ...rows].join("\n"))
      assert.isAbove(pages.length, 3)
      for (const one of pages) assert.match(one, /Key\s*What it says/)
      for (let i = 0; i < 120; i++)
        assert.isTrue(
          pages.some((one) => new RegExp(`^r${i}\\b|r${i}words`, "m").test(one)),
          `r${i}`
        )
    })
  )

  it.live("links to nothing that could run", () =>
    Effect.gen(function* () {
      const { urls, pages } = yield* page(
        "[a](javascript:alert(1)) [b](data:text/html,x) [c](file:///etc/passwd) [d](mailto:x@example.com)"
      )
      assert.deepStrictEqual(urls, ["mailto:x@example.com"])
      assert.include(pages[0]!, "a b c d")
    })
  )

  it.live("links to what a block of an integration is about", () =>
    Effect.gen(function* () {
      const { urls, pages } = yield* page(
        '{% @notes/note "https://example.com/n/1" title="A note" url="https://example.com/a" run="javascript:alert(1)" %}'
      )
      assert.deepStrictEqual(urls, ["https://example.com/a", "https://example.com/n/1"])
      for (const text of ["notes/note", "A note", "javascript:alert(1)"]) assert.include(pages[0]!, text)
    })
  )

  it.live("shows pictures, and says where one can't be shown", () =>
    Effect.gen(function* () {
      const image = (bytes: Uint8Array, contentType = "image/png"): BookFile => ({
        name: "picture",
        contentType,
        size: bytes.length,
        bytes
      })
      const files = {
        good: image(png(40)),
        bomb: image(png(4000, 2)),
        claim: image(png(2, 60_000)),
        broken: image(png(40).subarray(0, 90)),
        jpeg: image(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), "image/jpeg"),
        other: { name: "picture.avif", contentType: "image/avif", size: 1 },
        huge: { name: "huge.png", contentType: "image/png", size: 25 * 1024 * 1024 }
      }
      const bytes = yield* writing(bookOf([{ title: "Page", document: Object.keys(files).map(imageOf) }], files))
      assert.include(Buffer.from(bytes).toString("latin1"), "/Subtype /Image")
      const { pages } = yield* Effect.promise(() => readPdf(bytes))
      assert.strictEqual(pages[0]!.match(/\[Image: picture: not a picture that can be read\]/g)?.length, 3)
      assert.include(pages[0]!, "[Image: picture: too large to be shown]")
      assert.include(pages[0]!, "[Image: huge.png: too large to be shown]")
      assert.include(pages[0]!, "[Image: picture.avif: image/avif can't be shown here]")
    })
  )

  const svg = (content: string, attributes = 'width="900" height="900"'): BookFile => {
    const bytes = new TextEncoder().encode(
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`
    )
    return { name: "drawing.svg", contentType: "image/svg+xml", size: bytes.length, bytes }
  }
  const shows = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1").includes("/Subtype /Image")
  const unshown = /\[Image: drawing\.svg: it can't be drawn\]/g

  it.live("draws SVG, WebP and GIF", () =>
    Effect.gen(function* () {
      const base64 = (contentType: string, value: string): BookFile => {
        const bytes = Buffer.from(value, "base64")
        return { name: "picture", contentType, size: bytes.length, bytes }
      }
      const files = {
        svg: svg('<circle r="20" fill="red"/><text y="20">Label</text>', 'viewBox="0 0 40 40"'),
        webp: base64("image/webp", "UklGRhwAAABXRUJQVlA4TA8AAAAvAUAAAAcQEf0PRET/Aw=="),
        gif: base64("image/gif", "R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=")
      }
      for (const [name, file] of Object.entries(files)) {
        const book = bookOf([{ title: "Page", document: [imageOf("f")] }], { f: file })
        const bytes = yield* writing(book, { renderTimeout: { minutes: 1 } })
        assert.isTrue(shows(bytes), name)
        const { pages } = yield* Effect.promise(() => readPdf(bytes))
        assert.notInclude(pages[0]!, "[Image", name)
      }
    })
  )

  it.live("tells of drawings that take too much memory or are none, and draws the others", () =>
    Effect.gen(function* () {
      const floods = Array.from({ length: 3000 }, (_, i) => `<feFlood flood-color="red" result="r${i}"/>`).join("")
      const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join("")
      const entities = new TextEncoder().encode(
        `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]><svg xmlns="http://www.w3.org/2000/svg"><text>&l9;</text></svg>`
      )
      const uses = Array.from({ length: 9 }, (_, i) => {
        return `<g id="u${i + 1}">${`<use xlink:href="#u${i}"/>`.repeat(10)}</g>`
      })
      const bad = [
        svg(`<filter id="f">${floods}</filter><rect width="900" height="900" filter="url(#f)"/>`),
        { ...svg(""), bytes: entities },
        svg(`<g id="u0"><rect width="5" height="5"/></g>${uses.join("")}`)
      ]
      const files = Object.fromEntries([...bad, svg('<rect width="9" height="9"/>')].map((file, i) => [`f${i}`, file]))
      const bytes = yield* writing(bookOf([{ title: "Page", document: Object.keys(files).map(imageOf) }], files), {
        renderTimeout: { minutes: 1 }
      })
      assert.isTrue(shows(bytes))
      const { pages } = yield* Effect.promise(() => readPdf(bytes))
      assert.lengthOf(pages.join("\n").match(unshown) ?? [], bad.length)
    })
  )

  it.live("tells of drawings that take too long, and of no more than a few", () =>
    Effect.gen(function* () {
      const files = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`f${i}`, svg("")]))
      const bytes = yield* writing(bookOf([{ title: "Page", document: Object.keys(files).map(imageOf) }], files), {
        renderTimeout: { seconds: 0 }
      })
      const { pages } = yield* Effect.promise(() => readPdf(bytes))
      assert.lengthOf(pages[0]!.match(unshown) ?? [], 4)
      assert.lengthOf(pages[0]!.match(/left out, as others could not be drawn/g) ?? [], 2)
    })
  )

  it.live("leaves out the pictures that are too many, and says so in their place", () =>
    Effect.gen(function* () {
      const bytes = Buffer.alloc(13 * 1024 * 1024)
      // A JPEG of 8 by 8 pixels, as far as its header goes.
      bytes.set([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 8, 0, 8, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
      const large = (name: string): BookFile => ({ name, contentType: "image/jpeg", size: bytes.length, bytes })
      const { pages } = yield* page(["a", "b"].map(imageOf), { a: large("one.jpg"), b: large("two.jpg") })
      assert.notInclude(pages[0]!, "one.jpg")
      assert.include(pages[0]!, "[Image: two.jpg: left out, as there are too many pictures]")
    })
  )

  it.live("loses no line of what is too long, too deep or too wide", () =>
    Effect.gen(function* () {
      let deep: Block = block("paragraph", { nodes: text("At the bottom") })
      for (let i = 0; i < 95; i++)
        deep = block(["blockquote", "hint", "list-unordered"][i % 3]!, {
          nodes: [i % 3 === 2 ? block("list-item", { nodes: [deep] }) : deep]
        })
      const wide = `| ${Array.from({ length: 60 }, (_, i) => `h${i}`).join(" | ")} |`
      const table = [wide, wide.replace(/h\d+/g, "-"), wide.replaceAll("h", "c")].join("\n")
      const long = "x".repeat(20_000)
      const read = yield* reading(
        bookOf([
          { document: [deep] },
          { document: table },
          { document: long },
          { document: `\`\`\`\n${"y".repeat(20_000)}\n\`\`\`` },
          { document: `| a |\n| - |\n| ${"z".repeat(20_000)} |` }
        ])
      )
      const all = read.pages.slice(2).join("\n")
      assert.include(all, "At the bottom")
      for (let i = 0; i < 60; i++) for (const name of [`h${i}`, `c${i}`]) assert.include(all, name)
      for (const letter of "xyz") assert.isAtLeast(all.split(letter).length - 1, 20_000, letter)
    })
  )

  it.live("refuses what would be too much, in a sentence", () =>
    Effect.gen(function* () {
      const late = yield* Effect.flip(writing(bookOf([{ document: "x" }]), { timeout: { milliseconds: 1 } }))
      assert.match(late.message, /longer than 1ms/)
      const large = yield* Effect.flip(writing(bookOf([{ document: "word ".repeat(400_000) }]), { maxMemory: 32 }))
      assert.match(large.message, /memory/)
    })
  )

  it.live("lets others work meanwhile, and stops where nobody waits any more", () =>
    Effect.gen(function* () {
      const book = bookOf(
        Array.from({ length: 40 }, () => ({ document: "# Title\n\nSome text of a page\n\n".repeat(50) }))
      )
      let turns = 0
      const others = Effect.forever(
        Effect.andThen(
          Effect.sleep("1 millis"),
          Effect.sync(() => turns++)
        )
      )
      const bytes = yield* Effect.raceFirst(writing(book), others)
      assert.isAbove(turns, 10)
      assert.isAbove(bytes.length, 10_000)
      const fiber = yield* Effect.forkChild(writing(book))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
    })
  )
})
