/**
 * Pages near the limits of rendering and of machine-readable formats: one large text, attribute, table or list each.
 * Each case is the first request for a page in a format.
 */
import type { HeldServer } from "./HeldServer.ts"
import { parsed } from "./HeldServer.ts"

const text = (text: string) => ({ object: "text", leaves: [{ object: "leaf", text, marks: [] }] })
const block = (type: string, data: object, nodes: ReadonlyArray<object> = []) => ({
  object: "block",
  type,
  data,
  nodes
})
const paragraph = (...nodes: ReadonlyArray<object>) => block("paragraph", {}, nodes)
const link = (url: string, title?: string) => ({
  object: "inline",
  type: "link",
  data: { ref: { kind: "url", url }, ...(title !== undefined && { title }) },
  nodes: [text("a link")]
})
const repeat = <A>(count: number, make: (n: number) => A) => Array.from({ length: count }, (_, n) => make(n))

const table = (columns: number, options: number, rows: number) =>
  block("table", {
    view: { type: "grid", columns: repeat(columns, (c) => `c${c}`) },
    definition: Object.fromEntries(
      repeat(columns, (c) => [
        `c${c}`,
        {
          id: `c${c}`,
          title: `Choice ${c}`,
          type: "select",
          multiple: true,
          options: repeat(options, (n) => ({ value: `v${n}`, label: `Option ${n}`, color: "blue" }))
        }
      ])
    ),
    records: Object.fromEntries(
      repeat(rows, (n) => [
        `r${n}`,
        {
          orderIndex: String(n).padStart(6, "0"),
          values: Object.fromEntries(repeat(columns, (c) => [`c${c}`, [`v${(n * 7919) % options}`]]))
        }
      ])
    )
  })

/** Maximum bytes of a document, minus 1,024 for the markup around a text. */
const maxBytes = 8 * 1024 * 1024 - 1024
const signs = "<".repeat(maxBytes)

const pages: Readonly<Record<string, () => ReadonlyArray<object>>> = {
  "A select of 20,000 options in 30,000 cells": () => [table(1, 20_000, 30_000)],
  "40 selects of 100 options in 1,000 rows": () => [table(40, 100, 1000)],
  "A title of 8 MB of <": () => [paragraph(link("https://example.com/", signs))],
  "A paragraph of 8 MB of <": () => [paragraph(text(signs))],
  "A paragraph of 4 MB of line breaks": () => [paragraph(text("\n".repeat(maxBytes / 2)))],
  "A line of code of 8 MB of <": () => [block("code", {}, [block("code-line", {}, [text(signs)])])],
  "30,000 lines of code": () => [
    block(
      "code",
      {},
      repeat(30_000, () => block("code-line", {}, [text("a < b")]))
    )
  ],
  "8,000 URLs of <": () => [paragraph(...repeat(8000, (n) => link(`https://example.com/${n}/${"<".repeat(500)}`)))],
  "20,000 items": () => [
    block(
      "list-unordered",
      {},
      repeat(20_000, (n) => block("list-item", {}, [paragraph(text(`Item < ${n}`))]))
    )
  ],
  "20,000 headings": () => repeat(20_000, (n) => block("heading-1", {}, [text(`Part ${n} <`)]))
}

export const measureAll = async ({ send, ids, insert, measure, merged, opened }: HeldServer) => {
  const { organization, space } = ids()
  const createdPages: Array<{ readonly name: string; readonly page: string }> = []
  for (const [name, nodes] of Object.entries(pages)) {
    const draftUrl = await opened()
    await measure(`${name}: written`, async () => {
      createdPages.push({ name, page: await insert(draftUrl, { document: { object: "document", nodes: nodes() } }) })
    })
    await measure("… to main", () => merged(draftUrl))
  }
  const sites = `/v1/orgs/${organization}/sites`
  const site = `${sites}/${parsed(await send("POST", sites, { title: "Site", visibility: "public" })).id}`
  parsed(await send("POST", `${site}/site-spaces`, { spaceId: space }))
  await send("POST", `${site}/publish`)
  const { structure } = parsed(await send("GET", `${site}/structure`))
  const base = new URL(structure[0].urls?.published ?? structure[0].siteSpaces[0].urls.published).pathname
  const tree = parsed(await send("GET", `/v1/spaces/${space}/content/pages`))
  const pathOf = new Map<string, string>(tree.pages.map(({ id, path }: any) => [id, path]))
  // The first page loads all rendering code.
  await measure("The first page of a site", () => send("GET", base))
  for (const { name, page } of createdPages) {
    const content = `/v1/spaces/${space}/content/page/${page}`
    await measure(`${name}: as a page of its site`, () => send("GET", `${base}${pathOf.get(page)}`))
    await measure("… as Markdown for machines", () => send("GET", `${base}${pathOf.get(page)}.md`))
    await measure("… as a document", () => send("GET", `${content}?format=document`))
    await measure("… as Markdown", () => send("GET", content))
    await measure("… as a PDF", () => send("GET", `/v1/spaces/${space}/pdf?page=${page}&only=true`))
  }
  await measure("llms.txt", () => send("GET", `${base}llms.txt`))
  await measure("llms-full.txt", () => send("GET", `${base}llms-full.txt`))
  await measure("Searched", () => send("GET", `/v1/spaces/${space}/search?query=option`))
  await measure("The links", () => send("GET", `/v1/spaces/${space}/links`))
}
