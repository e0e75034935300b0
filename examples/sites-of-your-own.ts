/**
 * Serves published sites from the `node:http` server of an application, with a custom theme: a renderer for hints, a
 * menu, a footer, a `meta` element, and a style sheet after the default one.
 *
 *     node examples/sites-of-your-own.ts [lectern.db]
 */
import { once } from "node:events"
import { mkdtempSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import { toNodeHandler } from "@lectern/http/node"
import { siteHandler } from "@lectern/site/fetch"
import { html } from "@lectern/site/html/Html"
import type { Theme } from "@lectern/site/page/Theme"
import { renderSitePage } from "@lectern/site/render"
import { NodeServices } from "@lectern/services-node/NodeServices"

const publishSite = async (lectern: EmbeddedLectern) => {
  const organization = await lectern.organizations.create({ title: "Acme" })
  const space = await lectern.spaces.create(organization.id, { title: "Guide" })
  const draft = await lectern.changeRequests.create(space.id, {})
  const markdown = '# Install\n\nPlug it in.\n\n{% hint style="info" %}\nMind the gap & more.\n{% endhint %}\n'
  await lectern.changeRequests.content.write(space.id, draft.id, [
    { operation: "insert_page", title: "Install", document: { markdown } }
  ])
  await lectern.changeRequests.content.merge(space.id, draft.id)
  const site = await lectern.sites.create(organization.id, { title: "Acme docs", spaces: [space.id] })
  return await lectern.sites.publish(organization.id, site.id)
}

const theme: Theme = {
  blocks: { hint: (block, { blocks }) => html`<aside class="acme-hint">${blocks(block.nodes ?? [])}</aside>` },
  slots: {
    head: (_, defaultHead) => html`${defaultHead()}<meta name="theme-color" content="#0a7d4f">`,
    // The application's menu above the site's bar, which contains search and sections.
    header: ({ site }, defaultHeader) =>
      html`<nav class="acme-menu"><a href="/">Acme</a> ${site.title}</nav>${defaultHeader()}`,
    footer: () => html`<footer class="acme-footer">© Acme</footer>`,
    aside: ({ page }, defaultAside) => html`${defaultAside()}<a href="/support?page=${page.id}">Ask us</a>`
  },
  css: ".acme-hint{border:2px dashed}.acme-menu,.acme-footer{padding:1rem}"
}

/** Serves sites first, and the application's own routes for all other requests. */
const serve = async (lectern: EmbeddedLectern) => {
  const sites = await siteHandler(lectern, { theme })
  const handle = toNodeHandler(sites)
  const server = createServer((message, response) =>
    handle(message, response, () => response.end("The application's own page\n"))
  )
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return { sites, server, port: typeof address === "object" ? (address?.port ?? 0) : 0 }
}

const file = process.argv[2] ?? join(mkdtempSync(join(tmpdir(), "lectern-")), "lectern.db")
const sitesUrl = "https://*.docs.example.com"

for (const lectern of [
  await SqliteLectern.open({ file, sitesUrl, ...NodeServices.layers() }),
  await MemoryLectern.open({ sitesUrl })
]) {
  const { urls } = await publishSite(lectern)
  console.log(urls.published)
  const { sites, server, port } = await serve(lectern)
  // Sends a request with the `Host` header that a reverse proxy would pass.
  const fetchPage = async (host: string) => {
    const { request } = await import("node:http")
    const outgoing = request({ port, host: "127.0.0.1", headers: { host } }).end()
    const [answer] = (await once(outgoing, "response")) as [AsyncIterable<Buffer>]
    let text = ""
    for await (const chunk of answer) text += chunk.toString()
    return text
  }
  const page = await fetchPage(new URL(urls.published ?? "").host)
  console.log(/<h1>.*?<\/h1>/.exec(page)?.[0], /<aside class="acme-hint">.*?<\/aside>/.exec(page)?.[0])
  console.log(/<nav class="acme-menu">.*?<\/nav>/.exec(page)?.[0], /<footer.*?<\/footer>/.exec(page)?.[0])
  console.log((await fetchPage("app.example.com")).trim())
  // Renders the page without the handler's responses, at another location, with the application's own files and
  // headers.
  const sitePage = await sites.page(urls.published ?? "")
  const rendered = sitePage && renderSitePage(sitePage, { css: "/docs.css", script: "/docs.js", theme })
  console.log(
    /<link rel="stylesheet"[^>]*>/.exec(rendered ?? "")?.[0],
    /<meta name="theme-color"[^>]*>/.exec(rendered ?? "")?.[0]
  )
  server.close()
  await sites.close()
  server.closeAllConnections()
  await lectern.close()
}
