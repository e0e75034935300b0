/**
 * Holds what a host embeds together: every public method of the services that it is offered has a doc
 * comment, and the guide for embedders names every service, with the folder it is in, and every option.
 *
 * Reads the sources as the formatter leaves them, so a service or interface in which it finds nothing
 * is wrong, too.
 */
import { globSync, readFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"

const embedded = "packages/core/src/EmbeddedLectern.ts"
const guide = "docs/guides/embed-lectern.md"

/** Services that a host meets under other names: `on` and `handle` with promises. */
const besides = [
  "packages/core/src/event/EventSubscriptions.ts",
  "packages/core/src/job/JobHandlers.ts",
  "packages/core/src/storage/Storage.ts"
]

/** Whose options the guide lists. */
const optionsIn = [
  ["packages/core/src/Lectern.ts", "LecternOptions"],
  [embedded, "OpenOptions"],
  ["packages/adapter-sqlite/src/SqliteLectern.ts", "OpenOptions"],
  ["packages/adapter-sqlite/src/SqliteDatabase.ts", "Options"],
  ["packages/adapter-memory/src/MemoryStorage.ts", "Options"]
] as const

interface Member {
  readonly name: string
  readonly isDocumented: boolean
}

/** The members of a block that are indented so far, each with whether a doc comment ends above it. */
const membersOf = (block: string, indent: number): ReadonlyArray<Member> => {
  const lines = block.split("\n")
  const member = new RegExp(`^ {${indent}}readonly (\\w+)\\??:`)
  return lines.flatMap((line, index) => {
    const name = member.exec(line)?.[1]
    return name === undefined ? [] : [{ name, isDocumented: (lines[index - 1] ?? "").trimEnd().endsWith("*/") }]
  })
}

/** The shape of the service that a file defines, and the members of it. */
const methodsIn = (file: string): ReadonlyArray<Member> =>
  membersOf(/extends Context\.Service<\n[\s\S]*?\n>\(\)/.exec(readFileSync(file, "utf8"))?.[0] ?? "", 4)

const fieldsOf = (file: string, name: string): ReadonlyArray<Member> =>
  membersOf(new RegExp(`^export interface ${name} [\\s\\S]*?^}`, "m").exec(readFileSync(file, "utf8"))?.[0] ?? "", 2)

/** A service that a host is offered: the name it is found under, its class, and the file that defines that. */
export type Offered = readonly [name: string, file: string, service: string]

/** The services that a host is offered, as each concept says. */
const offered = (): ReadonlyArray<Offered> =>
  globSync("packages/core/src/*/*Services.ts").flatMap((file) => {
    const text = readFileSync(file, "utf8")
    return [...text.matchAll(/(\w+): offer\((\w+)/g)].map(([, name, service]) => {
      const path = new RegExp(`import \\{[^}]*\\b${service}\\b[^}]*\\} from "(.*)"`).exec(text)?.[1] ?? ""
      return [name!, join(dirname(file), path), service!] as const
    })
  })

/** The folders that the guide's table of services says: a row names services, and the folder that they all are in. */
const foldersIn = (words: string): ReadonlyMap<string, string> => {
  const table = /^## Services$[\s\S]*?(?=^## )/m.exec(words)?.[0] ?? ""
  return new Map(
    Array.from(table.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| `([\w/-]+)` \|/gm)).flatMap(([, names, folder]) =>
      Array.from(names!.matchAll(/\w+/g), ([name]) => [name, folder!] as const)
    )
  )
}

/** Lists services that the guide sends its reader to another file for than the one they are in. */
export const misplaced = (words: string, services: ReadonlyArray<Offered>): ReadonlyArray<string> => {
  const folders = foldersIn(words)
  return services.flatMap(([name, file, service]) => {
    const folder = relative("packages/core/src", dirname(file))
    const usual = name[0]!.toUpperCase() + name.slice(1)
    return [
      ...(folders.get(name) === folder ? [] : [`${guide}: the service ${name} is in the folder ${folder}`]),
      ...(service === basename(file, ".ts") ? [] : [`${file}: ${service} is not named as its file`]),
      ...(service === usual || words.includes(`\`${service}\``) ? [] : [`${guide}: the service ${name} is ${service}`])
    ]
  })
}

/** Lists mistakes in the comments and the guide, a line for each. */
export const embedding = (): ReadonlyArray<string> => {
  const services = offered()
  const words = readFileSync(guide, "utf8")
  const isNamed = (name: string) => words.includes(`\`${name}\``)
  const undocumented = [...services.map(([, file]) => file), ...besides].flatMap((file) => {
    const methods = methodsIn(file)
    if (methods.length === 0) return [`${file}: no service was found in it`]
    return methods
      .filter(({ isDocumented }) => !isDocumented)
      .map(({ name }) => `${file}: the method ${name} has no doc comment`)
  })
  const options = optionsIn.flatMap(([file, name]) => {
    const fields = fieldsOf(file, name)
    if (fields.length === 0) return [`${file}: no ${name} was found in it`]
    return fields.flatMap((field) => [
      ...(field.isDocumented ? [] : [`${file}: the option ${field.name} has no doc comment`]),
      ...(isNamed(field.name) ? [] : [`${guide}: the option ${field.name} of ${file} is missing`])
    ])
  })
  const unnamed = services
    .filter(([name]) => !isNamed(name))
    .map(([name]) => `${guide}: the service ${name} is missing`)
  return services.length === 0
    ? ["packages/core/src: no services that a host is offered were found"]
    : [...undocumented, ...options, ...unnamed, ...misplaced(words, services)]
}
