/**
 * Publishes spaces as a docs site. A renderer resolves URLs of the site, and reads the content that the visitor of a
 * URL may read. Everything runs in one process, without a server.
 *
 *     node examples/publish-a-site.ts [lectern.db]
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import * as Exchange from "@lectern/exchange/Exchange"
import { file } from "@lectern/exchange/import/Folder"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import { PublishedUrlNotFound } from "@lectern/core/publishing/PublishedUrl"
import { NodeExchange } from "@lectern/services-node/NodeExchange"
import { NodeServices } from "@lectern/services-node/NodeServices"

/** Publishes a site with two sections, one of them only for beta testers. */
const publish = async ({ organizations, spaces, content, sites }: EmbeddedLectern<Exchange.Exchange>) => {
  const { id: acme } = await organizations.create({ title: "Acme" })
  const guides = await spaces.create(acme, { title: "Guides" })
  await content.folderImports.importFolder(guides.id, {
    files: [file("install.md", "# Install\n\nPlug it in.\n"), file("repair.md", "# Repair\n\nUnplug it first.\n")]
  })
  const labs = await spaces.create(acme, { title: "Labs" })
  await content.folderImports.importFolder(labs.id, { files: [file("glow.md", "# Glow\n\nIt glows in the dark.\n")] })

  const site = await sites.create(acme, { title: "Acme docs", spaces: [guides.id] })
  await sites.sections.create(acme, site.id, { spaceId: guides.id, title: "Guides" })
  const section = await sites.sections.create(acme, site.id, { spaceId: labs.id, title: "Labs" })
  await sites.sections.update(acme, site.id, section.id, { condition: "visitor.claims.unsigned.beta == true" })
  const { urls } = await sites.publish(acme, site.id)
  return urls.published!
}

/** Returns a page view as text. */
const view = async (lectern: EmbeddedLectern, url: string): Promise<string> => {
  try {
    const place = await lectern.sites.urls.resolve({ url })
    if ("redirect" in place) return `leads to ${place.redirect}`
    if (place.page === undefined) return `no page at ${place.pathname}`
    // The token allows reading only the content that is published for this visitor.
    const visitor = lectern.as(await lectern.tokens.authenticate(place.apiToken))
    const main = await visitor.content.locate({ space: place.space })
    const page = await visitor.content.page(main, place.page)
    const { structure } = await visitor.sites.published.get(place.organization, place.site, {})
    const sections = structure.structure.map(({ title }) => title).join(", ")
    const markdown = "markdown" in page ? page.markdown.trim() : ""
    return `${markdown.replace(/\s+/g, " ")} [${sections}]`
  } catch (error) {
    if (!(error instanceof PublishedUrlNotFound)) throw error
    return `${error.name}: ${error.message}`
  }
}

const database = process.argv[2] ?? join(mkdtempSync(join(tmpdir(), "lectern-")), "lectern.db")
const sitesUrl = "https://docs.example.com"

for (const lectern of [
  await SqliteLectern.open({
    file: database,
    sitesUrl,
    ...NodeServices.layers(),
    extensions: [NodeExchange.extension()]
  }),
  await MemoryLectern.open({ sitesUrl, extensions: [Exchange.extension()] })
]) {
  const base = await publish(lectern)
  for (const path of ["", "repair", "labs/glow", "labs/glow?visitor.beta=true"]) {
    console.log(`${base}${path}`)
    console.log(`  ${await view(lectern, base + path)}`)
  }
  await lectern.close()
}
