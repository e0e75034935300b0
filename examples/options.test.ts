/** The options in tables of the manual exist: a function refuses unknown options, and accepts the documented ones. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { openOptionNames } from "@lectern/core/EmbeddedLectern"
import * as Lectern from "@lectern/core/Lectern"
import { checkOptions } from "@lectern/core/schema/OptionNames"
import * as Exchange from "@lectern/exchange/Exchange"
import { NodeExchange } from "@lectern/services-node/NodeExchange"
import { NodeServices } from "@lectern/services-node/NodeServices"
import { siteHandler } from "@lectern/site/fetch"
import { assert, it } from "@effect/vitest"

/**
 * Returns the rows of the tables below a line of a page, as options. The value of an option has the fields that the
 * second column documents.
 */
const optionsBelow = (page: string, line: string) => {
  const text = readFileSync(join(import.meta.dirname, "../docs", page), "utf8")
  const [table = ""] = /(?:^\|.*\n)+/m.exec(text.slice(text.indexOf(`\n${line}\n`))) ?? []
  const rows = Array.from(table.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| (.*?) \|/gm), ([, names = "", usual = ""]) => {
    const [literal] = /(?<=^`)\{.*\}(?=`$)/.exec(usual) ?? []
    const fields = usual.matchAll(/`(\w+)`: /g)
    const value: unknown =
      literal === undefined
        ? Object.fromEntries(Array.from(fields, ([, name]) => [name, undefined]))
        : JSON.parse(literal.replace(/(\w+):/g, '"$1":'))
    return Array.from(names.matchAll(/\w+/g), ([name]) => [name, value] as const)
  })
  const options = Object.fromEntries(rows.flat())
  assert.isNotEmpty(options, `${page}: ${line}`)
  return options
}

const page = "reference/embedding-options.md"

it.each([
  ["## General options", (options: object) => Lectern.layer(options)],
  ["## Instance options", (options: object) => checkOptions(openOptionNames, options)],
  [
    "## SQLite options",
    ({ file, rerunBodies, ...options }: { readonly file?: unknown; readonly rerunBodies?: unknown }) => {
      SqliteStorage.layer({ ...options, filename: file } as never)
      MemoryStorage.layerWith({ rerunBodies } as never)
    }
  ],
  [
    "Options of `NodeServices.layers`:",
    (options: object) => NodeServices.layers({ ...options, allowedPrivateHosts: [] })
  ],
  ["Options of `Exchange.extension`:", (options: object) => Exchange.extension(options)],
  [
    "Options of `NodeExchange.extension`, in addition to `imports`:",
    (options: object) => NodeExchange.extension({ ...options, allowedPrivateHosts: [] })
  ]
])("%s", (line, accept) => accept(optionsBelow(page, line)))

it("options of sites", async () => {
  const lectern = await MemoryLectern.open()
  const options = optionsBelow("guides/sites-in-your-application.md", "## Options")
  const { id } = await lectern.organizations.create({ title: "Acme" })
  const site = await lectern.sites.create(id, { title: "Help", spaces: [] })
  const known = Object.keys(options).map((name) => [name, undefined])
  await siteHandler(lectern, { ...Object.fromEntries(known), site: site.id, at: "/help" })
  await lectern.close()
})
