/**
 * Compares the services that a host embeds with their documentation: every public method has a doc comment, the page
 * of services names every service with its class and folder, and the page of options names every option.
 *
 * Reads formatted sources with regular expressions. A service or interface without members is therefore reported, too.
 */
import { globSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { methodPageOf } from "../bundle/methods/MethodPages.ts"

const embedded = "packages/core/src/EmbeddedLectern.ts"
const servicesPage = "docs/reference/services.md"
const optionsPage = "docs/reference/embedding-options.md"

/** Services that hosts use under other names, such as `on` and `handle` with promises. */
const unlistedServices = [
  "packages/core/src/event/EventSubscriptions.ts",
  "packages/core/src/job/JobHandlers.ts",
  "packages/core/src/storage/Storage.ts"
]

/** Interfaces whose options the page of options lists: file and name. */
const optionsIn = [
  ["packages/core/src/Lectern.ts", "LecternOptions"],
  [embedded, "OpenOptions"],
  ["packages/exchange/src/Exchange.ts", "ExchangeOptions"],
  ["packages/adapter-sqlite/src/SqliteLectern.ts", "OpenOptions"],
  ["packages/adapter-sqlite/src/connections/Connections.ts", "ConnectionOptions"],
  ["packages/adapter-sqlite/src/durability/DurableTransactions.ts", "DurabilityOptions"],
  ["packages/adapter-memory/src/MemoryStorage.ts", "Options"],
  ["packages/adapter-postgres/src/PostgresStorage.ts", "StorageOptions"]
] as const

interface Member {
  readonly name: string
  /** True if a doc comment ends on the line above. */
  readonly isDocumented: boolean
}

/** Returns the members of a block that have the given indentation. */
const membersOf = (block: string, indent: number): ReadonlyArray<Member> => {
  const lines = block.split("\n")
  const member = new RegExp(`^ {${indent}}readonly (\\w+)\\??:`)
  return lines.flatMap((line, index) => {
    const name = member.exec(line)?.[1]
    return name === undefined ? [] : [{ name, isDocumented: (lines[index - 1] ?? "").trimEnd().endsWith("*/") }]
  })
}

/** Returns the methods of the service that a file defines. */
const methodsIn = (file: string): ReadonlyArray<Member> =>
  membersOf(/extends Context\.Service<\n[\s\S]*?\n>\(\)/.exec(readFileSync(file, "utf8"))?.[0] ?? "", 4)

const fieldsOf = (file: string, name: string): ReadonlyArray<Member> =>
  membersOf(new RegExp(`^export interface ${name}\\b[\\s\\S]*?^}`, "m").exec(readFileSync(file, "utf8"))?.[0] ?? "", 2)

/** A service that a host can use: its path in the embedding API, the file that defines it, and its class. */
export type OfferedService = readonly [path: string, file: string, service: string]

/** Returns the services that `…Services.ts` of each concept, and extensions, offer to hosts. */
const offeredServices = (): ReadonlyArray<OfferedService> =>
  globSync([
    "packages/core/src/*/*Services.ts",
    "packages/exchange/src/Exchange.ts",
    "packages/sign-in/src/SignIn.ts"
  ]).flatMap((file) => {
    const text = readFileSync(file, "utf8")
    return [...text.matchAll(/([\w.]+)"?: offer\((\w+)/g)].map(([, path, service]) => {
      const module = new RegExp(`import \\{[^}]*\\b${service}\\b[^}]*\\} from "(.*)"`).exec(text)?.[1] ?? ""
      return [path!, join(dirname(file), module), service!] as const
    })
  })

/** Returns a line for each difference between the services and the rows of the page of services. */
export const misplaced = (words: string, services: ReadonlyArray<OfferedService>): ReadonlyArray<string> => {
  const table = /^## Services$[\s\S]*?(?=^## )/m.exec(words)?.[0] ?? ""
  const row = /^\| (\[`[\w.]+`\]\([\w/.-]+\)) \| .* \| (`[@\w/-]+`) \|$/gm
  const rows = new Set(Array.from(table.matchAll(row), ([, path, location]) => `${path} | ${location}`))
  const expected = services.map(([path, file, service]) => {
    const folder = dirname(file)
      .replace("packages/core/src/", "")
      .replace(/^packages\/([\w-]+)\/src/, "@lectern/$1")
    return `[\`${path}\`](methods/${methodPageOf(path)}) | \`${folder}/${service}\``
  })
  return [
    ...services
      .filter(([, file, service]) => service !== basename(file, ".ts"))
      .map(([, file, service]) => `${file}: ${service} has another name than its file`),
    ...expected.filter((row) => !rows.has(row)).map((row) => `${servicesPage}: the row ${row} is missing`),
    ...[...rows]
      .filter((row) => !expected.includes(row))
      .map((row) => `${servicesPage}: the row ${row} names no service`)
  ]
}

/** Returns a line for each missing doc comment and each omission of the two pages. */
export const embedding = (): ReadonlyArray<string> => {
  const services = offeredServices()
  const words = readFileSync(servicesPage, "utf8")
  const optionWords = readFileSync(optionsPage, "utf8")
  const undocumented = [...services.map(([, file]) => file), ...unlistedServices].flatMap((file) => {
    const methods = methodsIn(file)
    if (methods.length === 0) return [`${file}: no service found`]
    return methods
      .filter(({ isDocumented }) => !isDocumented)
      .map(({ name }) => `${file}: the method ${name} has no doc comment`)
  })
  const options = optionsIn.flatMap(([file, name]) => {
    const fields = fieldsOf(file, name)
    if (fields.length === 0) return [`${file}: interface ${name} not found`]
    return fields.flatMap((field) => [
      ...(field.isDocumented ? [] : [`${file}: the option ${field.name} has no doc comment`]),
      ...(optionWords.includes(`\`${field.name}\``)
        ? []
        : [`${optionsPage}: the option ${field.name} of ${file} is missing`])
    ])
  })
  return services.length === 0
    ? ["packages/core/src: no services for hosts found"]
    : [...undocumented, ...options, ...misplaced(words, services)]
}
