/**
 * Measures how long requests block the event loop of the real server. Covers writing and reading large request bodies
 * (this module), pages that sites render (`LargePages.ts`), and all reads of a large space (`LargeSpace.ts`).
 */
import { heldServer, type HeldServer, parsed, type Row } from "./HeldServer.ts"
import * as LargePages from "./LargePages.ts"
import * as LargeSpace from "./LargeSpace.ts"

const paragraph = (key: string, text: string) => ({
  object: "block",
  type: "paragraph",
  key,
  nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
})

const blocks = 20_000
/** Returns words that differ from block to block, as in real text. */
const words = (n: number) => `Line ${n} says ${(n * 7919) % 1013}, then ${(n * 104_729) % 997} and ${n % 13}`

const documentOf = (edit: (n: number) => string | undefined = () => undefined) => ({
  object: "document",
  nodes: Array.from({ length: blocks }, (_, n) => paragraph(`key-${n}`, `${words(n)}${edit(n) ?? ""}`))
})

/** Returns a document near the limits: 4 MB of text, with expressions, conditions and reusable content. */
const largeDocument = (reusable: string) => {
  const sentence = (n: number) => `${words(n)}. ${"It holds what a text of its kind holds. ".repeat(4)}`
  const value = { object: "inline", type: "expression", data: { expression: "space.vars.version" }, isVoid: true }
  return {
    object: "document",
    nodes: [
      ...Array.from({ length: blocks - 1000 }, (_, n) => {
        const block = paragraph(`key-${n}`, sentence(n))
        if (n % 50 === 0) return { ...block, type: "heading-2", nodes: [...paragraph("", `Part ${n}`).nodes] }
        return n % 20 === 1 ? { ...block, nodes: [...block.nodes, value] } : block
      }),
      ...Array.from({ length: 500 }, (_, n) => ({
        object: "block",
        type: "if",
        key: `if-${n}`,
        data: { expression: n % 2 === 0 ? "visitor.claims.unsigned.plan == 'pro'" : "space.vars.version" },
        nodes: [paragraph(`inner-${n}`, sentence(n))]
      })),
      {
        object: "block",
        type: "reusable-content",
        key: "include",
        data: { ref: { kind: "reusable-content", reusableContent: reusable } }
      }
    ]
  }
}

const tableRows = 3000
const tableOf = (edit: (n: number) => string) =>
  `| Name | What |\n| --- | --- |\n${Array.from({ length: tableRows }, (_, n) => `| Row ${n} | ${words(n)}${edit(n)} |\n`).join("")}`

const specOf = (size: number) => {
  const paths: Record<string, unknown> = {}
  const description = "What it does, and what it answers. ".repeat(20)
  for (let n = 0; n * 1100 < size; n++) {
    paths[`/things/${n}`] = {
      get: { operationId: `get${n}`, tags: [`tag-${n % 20}`], description, responses: { 200: { description } } }
    }
  }
  return JSON.stringify({ openapi: "3.0.3", info: { title: "Large", version: "1" }, paths })
}

const markdowns = {
  "20,000 paragraphs, 0.25 MB": "a paragraph\n\n".repeat(20_000),
  "15,000 hints, 0.6 MB": '{% hint style="info" %}\nA hint\n{% endhint %}\n\n'.repeat(13_000),
  "a list 2,000 deep, 2 MB": Array.from({ length: 2000 }, (_, n) => `${"  ".repeat(n % 1000)}- item\n`).join(""),
  "prose, 4 MB": `${"Some *words* of a [text](https://example.com/a) that is long. ".repeat(12)}\n\n`.repeat(5300),
  "a\\n\\n, 43,000 times": "a\n\n".repeat(43_000),
  "- a\\n\\n\\n, 43,000 times": "- a\n\n\n".repeat(43_000),
  "[, 2 MiB": "[".repeat(2 * 1024 * 1024),
  "‹, 2.7 million, 8 MB": "‹".repeat(2_700_000),
  "line breaks, 4.19 million": "\n".repeat(4_190_000)
}

/** Runs all parts, or the parts named as arguments: `bodies`, `pages`, `space`. */
export const run = async (): Promise<ReadonlyArray<Row>> => {
  const wantedNames = new Set(process.argv)
  const parts = { bodies, pages: LargePages.measureAll, space: LargeSpace.measureAll }
  const namedParts = Object.entries(parts).filter(([name]) => wantedNames.has(name))
  const rows: Array<Row> = []
  for (const [name, measureAll] of namedParts.length === 0 ? Object.entries(parts) : namedParts) {
    const server = await heldServer(`Stalls: ${name}`)
    try {
      await measureAll(server)
    } finally {
      await server.end()
    }
    rows.push(...server.rows)
  }
  return rows
}

const bodies = async ({ send, ids, insert, measure, merged, opened, update, write }: HeldServer) => {
  await measure("GET /openapi.json, the first", () => send("GET", "/openapi.json"))
  await measure("GET /docs, the first", () => send("GET", "/docs"))

  for (const [name, markdown] of Object.entries(markdowns)) {
    const draftUrl = await opened()
    let page = ""
    await measure(`Markdown: ${name}`, async () => {
      const answer = await write(draftUrl, { operation: "insert_page", title: "A page", document: { markdown } })
      if (answer.status < 400) page = JSON.parse(answer.text).changes[0].page.id
      return answer
    })
    if (page !== "") await measure("… read back", () => send("GET", `${draftUrl}/content/page/${page}`))
  }
  const pageBatch = Array.from({ length: 50 }, (_, n) => ({
    operation: "insert_page",
    title: `Page ${n}`,
    document: { markdown: "a\n\n".repeat(40_000) }
  }))
  const batch = await opened()
  await measure("Markdown: 50 times a\\n\\n, 40,000 times", () => write(batch, ...pageBatch))
  const smallBatch = Array.from({ length: 50 }, (_, n) => ({
    operation: "insert_page",
    title: `Small ${n}`,
    document: { markdown: `# Page\n\n${"Some *words* of a text.\n\n".repeat(500)}` }
  }))
  const smalls = await opened()
  await measure("Markdown: 50 pages of 12 KB", () => write(smalls, ...smallBatch))

  // A document of 20,000 blocks: write, read, edit on both sides, compare, merge.
  const first = await opened()
  let page = ""
  await measure("document: 20,000 blocks as JSON", async () => {
    page = await insert(first, { document: documentOf() })
  })
  await measure("… to main", () => merged(first))
  const [main, ours] = [await opened(), await opened()]
  const pageUrl = `${main}/content/page/${page}`
  await measure("… as Markdown", () => send("GET", pageUrl))
  await measure("… as a document", () => send("GET", `${pageUrl}?format=document`))
  const markdown = JSON.parse((await send("GET", pageUrl)).text).markdown as string
  await measure("… every 3rd paragraph rewritten as Markdown", () =>
    update(main, page, {
      markdown: markdown.replaceAll(/^Line (\d+)(.*)$/gm, (line, n) => (n % 3 === 0 ? `${line} more` : line))
    })
  )
  await measure("… its changes", () => send("GET", `${main}/changes`))
  await measure("… its changes by block", () => send("GET", `${main}/changes/page/${page}`))
  await measure("… to main", () => merged(main))
  await measure("… every 4th paragraph rewritten as JSON", () =>
    update(ours, page, { document: documentOf((n) => (n % 4 === 0 ? " other" : undefined)) })
  )
  await measure("… main pulled in", () => send("POST", `${ours}/update`))
  await measure("… its conflicts", () => send("GET", `${ours}/changes`))
  await measure("… by block", () => send("GET", `${ours}/changes/page/${page}`))
  const { organization, space } = ids()
  await measure("search", () => send("GET", `/v1/spaces/${space}/search?query=line`))

  // A page near the limits: read by members and visitors, search, comment, print, translate.
  const largeAt = await opened()
  const insertResult = parsed(
    await write(
      largeAt,
      { operation: "set_variables", variables: { version: "1.2" } },
      {
        operation: "upsert_reusable_content",
        ref: "reused",
        title: "Reused",
        document: { markdown: "Some *words* of a text.\n\n".repeat(2000) }
      },
      { operation: "insert_page", ref: "large", title: "Large", document: { document: largeDocument("reused") } }
    )
  )
  const largePageId = insertResult.changes.find((change: any) => change.page !== undefined).page.id as string
  const short = await insert(largeAt, { document: documentOf() })
  await merged(largeAt)
  const largePage = `/v1/spaces/${space}/content/page/${largePageId}`
  await measure("large page: as a document", () => send("GET", `${largePage}?format=document`))
  await measure("… as Markdown", () => send("GET", largePage))
  await measure("… evaluated, as a document", () => send("GET", `${largePage}?format=document&evaluated=true`))
  await measure("… evaluated, as Markdown", () => send("GET", `${largePage}?evaluated=true`))
  const site = parsed(await send("POST", `/v1/orgs/${organization}/sites`, { title: "Site", visibility: "public" }))
  const sitePath = `/v1/orgs/${organization}/sites/${site.id}`
  parsed(await send("POST", `${sitePath}/site-spaces`, { spaceId: space }))
  await send("POST", `${sitePath}/publish`)
  const { structure } = parsed(await send("GET", `${sitePath}/structure`))
  const published = structure[0].urls?.published ?? structure[0].siteSpaces[0].urls.published
  const { apiToken } = parsed(await send("POST", "/v1/urls/published", { url: `${published}large?visitor.plan=pro` }))
  const visiting = (query: string) =>
    send("GET", `${largePage}${query}`, undefined, { authorization: `Bearer ${apiToken}` })
  await measure("… to a visitor, as a document", () => visiting("?format=document"))
  await measure("… to a visitor, as Markdown", () => visiting(""))
  await measure("… to a visitor, evaluated", () => visiting("?format=document&evaluated=true"))
  const onSite = new URL(published).pathname
  // The first page of any site loads all rendering code.
  await measure("the first page of a site", () => send("GET", onSite))
  await measure("… as a page of its site", () => send("GET", `${onSite}large?visitor.plan=pro`))
  await measure("… as Markdown for machines", () => send("GET", `${onSite}large.md`))
  await measure("… searched", () => send("GET", `/v1/spaces/${space}/search?query=kind`))
  await measure("… commented on", () =>
    send("POST", `/v1/spaces/${space}/comments`, { body: { markdown: "This." }, page: largePageId, node: "key-7007" })
  )
  await measure("… its comments", () => send("GET", `/v1/spaces/${space}/comments`))
  await measure("… as a PDF", async () => {
    const { url } = parsed(await send("GET", `/v1/spaces/${space}/pdf?page=${largePageId}&only=true`))
    for (let n = 0; n < 200; n++) {
      const answer = await send("GET", new URL(url).pathname + new URL(url).search)
      if (answer.status !== 202) return answer
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    return undefined
  })
  const translations = `/v1/orgs/${organization}/translations`
  const translation = `${translations}/${parsed(await send("POST", translations, { language: "de", source: { space } })).id}`
  const translated = async () => {
    await send("POST", `${translation}/run`)
    for (let n = 0; n < 400; n++) {
      const answer = parsed(await send("GET", translation))
      if (answer.status !== "running") return answer
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  let result = ""
  await measure("… translated", async () => {
    result = (await translated()).result?.space
  })
  const edited = async (inSpace: string, edit: (text: string) => string) => {
    const change = parsed(await send("POST", `/v1/spaces/${inSpace}/change-requests`, {}))
    const draftUrl = `/v1/spaces/${inSpace}/change-requests/${change.id}`
    const read = parsed(await send("GET", `${draftUrl}/content/page/${short}?format=document`))
    let n = 0
    const document = JSON.parse(
      JSON.stringify(read.document).replaceAll(/"text":"([^"]{30,})"/g, (_, text) =>
        n++ % 10 === 0 ? `"text":"${edit(text)}"` : `"text":"${text}"`
      )
    )
    parsed(await update(draftUrl, short, { document }))
    await merged(draftUrl)
  }
  if (result !== undefined && result !== "") {
    await edited(result, (text) => `${text} by hand`)
    await edited(space, (text) => `${text} anew`)
    await measure("… translated anew, over edits by hand", translated)
  }

  // A table of 3,000 rows, changed on both sides.
  const table = await opened()
  const tablePage = await insert(table, { markdown: tableOf(() => "") })
  await merged(table)
  const [tableMain, tableOurs] = [await opened(), await opened()]
  parsed(await update(tableMain, tablePage, { markdown: tableOf((n) => (n % 2 === 0 ? " there" : "")) }))
  await measure("table: 3,000 rows written over", () =>
    update(tableOurs, tablePage, { markdown: tableOf((n) => (n % 3 === 0 ? " here" : "")) })
  )
  await merged(tableMain)
  await measure("… main pulled in", () => send("POST", `${tableOurs}/update`))
  await measure("… compared", () => send("GET", `${tableOurs}/changes/page/${tablePage}`))

  const about = `/v1/spaces/${space}/comments`
  await measure("comment: 100 KB of Markdown", () =>
    send("POST", about, { body: { markdown: "Some *words*. ".repeat(7000) } })
  )
  await measure("comment: a\\n\\n, 300,000 times", () =>
    send("POST", about, { body: { markdown: "a\n\n".repeat(300_000) } })
  )
  const marked = { body: { markdown: "*a* b ".repeat(600) } }
  for (let n = 0; n < 200; n++) parsed(await send("POST", about, marked))
  await measure("comments: 200 of 70 KB, as documents", () => send("GET", `${about}?limit=1000&format=document`))
  await measure("… as Markdown", () => send("GET", `${about}?limit=1000`))
  await measure("reusable content: 1 MB of Markdown", () =>
    write(first, {
      operation: "upsert_reusable_content",
      title: "Reused",
      document: { markdown: "Some *words* of a text.\n\n".repeat(40_000) }
    }).then(async () =>
      write(await opened(), {
        operation: "upsert_reusable_content",
        title: "Reused",
        document: { markdown: "Some *words* of a text.\n\n".repeat(40_000) }
      })
    )
  )
  const variables = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`v${n}`, n]))
  const variablesAt = await opened()
  await measure("variables: 100,000 of them", () => write(variablesAt, { operation: "set_variables", variables }))
  const brackets = await opened()
  await measure("a body of brackets, 20 MB", () =>
    send("POST", `${brackets}/content`, `{"changes":[${"[],".repeat(6_600_000)}1]}`)
  )

  const specs = `/v1/orgs/${organization}/openapi`
  await measure("spec: 6 MB of JSON", () => send("PUT", `${specs}/large`, { source: { text: specOf(6_000_000) } }))
  await measure("… processed, and read", async () => {
    for (let n = 0; n < 120; n++) {
      const { processingState } = parsed(await send("GET", `${specs}/large`))
      if (processingState === "complete") break
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    const latest = parsed(await send("GET", `${specs}/large/versions`)).items[0]
    return send("GET", `${specs}/large/versions/${latest.id}/content`)
  })
  await measure("… as it came", () => send("GET", `${specs}/large/versions/latest/content/raw`))
  const computed = await opened()
  await measure("… pages computed of it", async () => {
    parsed(
      await write(computed, {
        operation: "insert_page",
        type: "computed",
        title: "Reference",
        computed: {
          type: "builtin:openapi",
          dependencies: { spec: { ref: { kind: "openapi", spec: "large" } } },
          props: { models: true }
        }
      })
    )
    return send("GET", `${computed}/content/pages`)
  })
}
