/**
 * Measures every read of a large space: each `GET` that `/openapi.json` lists below a space, for its main content, a
 * change request and a revision, and the pages of its site. Only the first page of a list is read.
 *
 * Default: 50,000 pages. `LECTERN_BENCH_LARGE` sets another number.
 */
import { type HeldServer, parsed } from "./HeldServer.ts"

const size = Number(process.env["LECTERN_BENCH_LARGE"] ?? 50_000)

/** Pages of a section: a page with its child pages, inserted by one request. */
const section = 50

const text = (n: number) =>
  `## Part ${n}\n\nLine ${n} says ${(n * 7919) % 1013}, and leads to [a page](https://example.com/${n}) and [a part](#part-${n}).\n`

export const measureAll = async ({ send, ids, measure, merged, opened, write }: HeldServer) => {
  const { organization, space } = ids()
  const draftUrl = await opened()
  for (let first = 0; first < size; first += section) {
    const changes = Array.from({ length: section }, (_, n) => ({
      operation: "insert_page",
      title: `Page number ${first + n}`,
      document: { markdown: text(first + n) },
      ...(n === 0 ? { ref: "section" } : { into: "section" })
    }))
    parsed(await write(draftUrl, ...changes))
  }
  await measure(`${size} pages: to main`, () => merged(draftUrl))

  const changing = await opened()
  const tree = parsed(await send("GET", `/v1/spaces/${space}/content/pages`))
  const page = tree.pages[0].id as string
  parsed(await write(changing, { operation: "update_page", page, title: "Edited" }))
  const { revision } = parsed(await send("GET", `/v1/spaces/${space}`))
  const values: Readonly<Record<string, string>> = {
    spaceId: space,
    changeRequestId: changing.split("/").at(-1)!,
    revisionId: revision as string,
    pageId: page,
    pagePath: tree.pages[0].path as string
  }
  const { paths } = parsed(await send("GET", "/openapi.json"))
  const skippedPaths: Array<string> = []
  for (const [path, operations] of Object.entries<{ readonly get?: unknown }>(paths)) {
    if (operations.get === undefined || !path.startsWith("/v1/spaces/{spaceId}")) continue
    const filled = path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
      values[name] === undefined ? placeholder : encodeURIComponent(values[name])
    )
    const query = path.endsWith("/search") ? "?query=line" : path.endsWith("/embed") ? "?url=https://example.com/" : ""
    if (filled.includes("{")) skippedPaths.push(path)
    else
      await measure(`GET ${path.slice("/v1/spaces/{spaceId}".length) || "the space"}`, () =>
        send("GET", filled + query)
      )
  }
  console.log(`Not read, since they are of something that the space lacks: ${skippedPaths.join(", ")}`)

  const sites = `/v1/orgs/${organization}/sites`
  const site = `${sites}/${parsed(await send("POST", sites, { title: "Site", visibility: "public" })).id}`
  parsed(await send("POST", `${site}/site-spaces`, { spaceId: space }))
  await send("POST", `${site}/publish`)
  const { structure } = parsed(await send("GET", `${site}/structure`))
  const base = new URL(structure[0].urls?.published ?? structure[0].siteSpaces[0].urls.published).pathname
  for (const path of [
    "",
    tree.pages.at(-1).path,
    `${tree.pages.at(-1).path}.md`,
    "llms.txt",
    "llms-full.txt",
    "sitemap.xml",
    "~search?q=line",
    "no-such-page"
  ]) {
    await measure(`Site: ${path || "its front page"}`, () => send("GET", base + path))
  }
}
