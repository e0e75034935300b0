/**
 * Imports a folder of the disk into a space and exports the space again. Then imports files from another source, which
 * are read only when they are needed.
 *
 *     node examples/import-and-export.ts [lectern.db]
 */
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import * as Exchange from "@lectern/exchange/Exchange"
import * as Folders from "@lectern/services-node/folder/Folders"
import { NodeExchange } from "@lectern/services-node/NodeExchange"
import { NodeServices } from "@lectern/services-node/NodeServices"

/** Bucket of an application, with an asynchronous API. */
const bucket = new Map([
  ["README.md", "# Prices\n\nSee [yearly](yearly.md).\n"],
  ["yearly.md", "# Yearly\n\nTwo months are free.\n"]
])
const objects = {
  list: async () => Array.from(bucket, ([key, text]) => ({ key, size: Buffer.byteLength(text) })),
  get: async (key: string) => new TextEncoder().encode(bucket.get(key))
}

const moveThrough = async (lectern: EmbeddedLectern<Exchange.Exchange>, from: string, to: string) => {
  const { id: organization } = await lectern.organizations.create({ title: "Acme" })
  const handbook = await lectern.spaces.create(organization, { title: "Handbook" })
  const { report } = await lectern.content.folderImports.importFolder(handbook.id, await Folders.read(from))
  console.log(`Added ${report.added.join(", ")}`)
  const { pages } = await Folders.write(to, (writer) => lectern.content.folderExports.exportFolder(handbook.id, writer))
  console.log(`Wrote ${pages} pages: ${readdirSync(to).sort().join(", ")}`)

  const prices = await lectern.spaces.create(organization, { title: "Prices" })
  const files = (await objects.list()).map(({ key, size }) => ({ path: key, size, bytes: () => objects.get(key) }))
  const imported = await lectern.content.folderImports.importFolder(prices.id, { files })
  console.log(`Added ${imported.report.added.join(", ")}`)
}

const folder = mkdtempSync(join(tmpdir(), "lectern-"))
const from = join(folder, "handbook")
mkdirSync(from)
writeFileSync(join(from, "README.md"), "# Welcome\n\nBegin with [the guide](guide.md).\n")
writeFileSync(join(from, "guide.md"), "# Guide\n\nOne step.\n")

const file = process.argv[2] ?? join(folder, "lectern.db")

for (const [name, lectern] of [
  ["sqlite", await SqliteLectern.open({ file, ...NodeServices.layers(), extensions: [NodeExchange.extension()] })],
  ["memory", await MemoryLectern.open({ extensions: [Exchange.extension()] })]
] as const) {
  await moveThrough(lectern, from, join(folder, name))
  await lectern.close()
}
