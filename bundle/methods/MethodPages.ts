/**
 * The manual's reference of methods: a page for each service in `docs/reference/methods`, generated from the types and
 * comments of the methods by `pnpm generate`. The order and the purposes of the services come from the page of services.
 * The pages are committed, and `pnpm check` reports when they are out of date.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../BuildStamp.ts"
import { schemaFieldsOf } from "./InputFields.ts"
import {
  codeIn,
  type Field,
  instanceMethods,
  type OfferedMethod,
  offeredMethods,
  type Parameter,
  type ResultType
} from "./OfferedMethods.ts"

/** Folder of the pages, from the root of the repository. */
export const methodsFolder = "docs/reference/methods"

const servicesPage = "docs/reference/services.md"

/** Sentences about inputs whose fields are not listed. Links are relative to the pages of methods. */
const explanations: Readonly<Record<string, string>> = {
  Actor: "See [actors](../../guides/embed-lectern.md#actors).",
  ContentChange: "See [content changes](../content-changes.md).",
  CustomizationPatch: "See [customization settings](../../publishing/customization-settings.md).",
  CustomizationPut: "See [customization settings](../../publishing/customization-settings.md).",
  IntegrationPublish: "See [the manifest](../../integrations/manifest.md).",
  LocatedRevision: "See [`content.locate`](content.md#contentlocate)."
}

/** Names of the inputs that pages of the manual explain. */
export const explainedTypes: ReadonlySet<string> = new Set(Object.keys(explanations))

/** A service with its row of the page of services. */
interface Service {
  readonly path: string
  readonly purpose: string
}

const servicesIn = (text: string): ReadonlyArray<Service> =>
  Array.from(text.matchAll(/^\| \[`([\w.]+)`\]\([^)]*\) \| (.*) \| `[@\w/-]+` \|$/gm), ([, path, purpose]) => ({
    path: path!,
    purpose: purpose!.replaceAll(/\]\((?=[\w.])/g, "](../")
  }))

/** Returns the path of the page of a service from the folder of the pages, such as `sites/share-links.md`. */
export const methodPageOf = (service: string): string =>
  `${service.replaceAll(".", "/").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`

/** Returns a page whose links are relative to the folder of the pages, with links relative to the page. */
const relinked = (service: string, page: string): string => {
  const up = "../".repeat(service.split(".").length - 1)
  return page.replaceAll(/\]\((?![#/]|[a-z]+:)/g, `](${up}`)
}

const serviceOf = ({ path }: OfferedMethod): string => path.replace(/\.\w+$/, "")

/** Returns text for a cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim()

const code = (text: string): string => `\`${text}\``

/** Returns the heading of a method, such as `reviews.submit`. */
const headingOf = ({ path }: OfferedMethod): string => path.split(".").slice(-2).join(".")

const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^\w]/g, "")

/** Returns the sources of all pages by their paths. `servicesText`: source of the page of services. */
export const makeMethodPages = async (
  methods: ReadonlyArray<OfferedMethod> = offeredMethods(),
  instance: ReadonlyArray<OfferedMethod> = instanceMethods(),
  servicesText: string = readFileSync(join(root, servicesPage), "utf8")
): Promise<ReadonlyMap<string, string>> => {
  const services = servicesIn(servicesText)
  const typePages = typePagesOf(methods, services)
  const pages = new Map<string, string>()
  if (instance.length > 0) pages.set(instancePage, await makeInstancePage(instance))
  for (const service of services) {
    const own = methods.filter((method) => serviceOf(method) === service.path)
    const page = await makePage(service, own, typePages)
    pages.set(`${methodsFolder}/${methodPageOf(service.path)}`, relinked(service.path, page))
  }
  return pages
}

const instancePage = `${methodsFolder}/instance.md`

const instanceHead = `---
description: "Methods of an instance of Lectern: open, as, on, handle, transaction, run, close."
---

# The instance

\`open\` returns an instance, whose methods are the subject of these pages. Adapters provide \`open\`, with the [embedding options](../embedding-options.md):

\`\`\`ts
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"

const lectern = await SqliteLectern.open({ file: "lectern.db" })
\`\`\`

Unit tests open an instance in memory, with \`MemoryLectern.open()\` of \`@lectern/adapter-memory/MemoryLectern\`. The methods of [services](../services.md) are grouped, such as [\`lectern.spaces.create\`](spaces.md#spacescreate). These methods belong to no service:
`

const makeInstancePage = async (methods: ReadonlyArray<OfferedMethod>): Promise<string> => {
  const sections = await Promise.all(methods.map((method) => makeMethod(method, () => "")))
  return [instanceHead, ...sections]
    .join("\n\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .concat("\n")
}

/** Returns the service on whose page a type is described, by type: the service most of whose methods return the type. */
const typePagesOf = (
  methods: ReadonlyArray<OfferedMethod>,
  services: ReadonlyArray<Service>
): ReadonlyMap<string, string> => {
  const counts = new Map<string, Map<string, number>>()
  for (const { path } of services) {
    for (const { resultTypes } of methods.filter((method) => serviceOf(method) === path)) {
      for (const { name, file } of resultTypes) {
        const ofType = counts.get(`${file} ${name}`) ?? new Map<string, number>()
        counts.set(`${file} ${name}`, ofType.set(path, (ofType.get(path) ?? 0) + 1))
      }
    }
  }
  return new Map(
    Array.from(counts, ([type, ofType]) => [
      type,
      [...ofType].reduce((most, next) => (next[1] > most[1] ? next : most))[0]
    ])
  )
}

const typesOf = (methods: ReadonlyArray<OfferedMethod>): ReadonlyArray<ResultType> => [
  ...new Map(
    methods.flatMap(({ resultTypes }) => resultTypes.map((type) => [`${type.file} ${type.name}`, type] as const))
  ).values()
]

const makePage = async (
  { path, purpose }: Service,
  methods: ReadonlyArray<OfferedMethod>,
  typePages: ReadonlyMap<string, string>
): Promise<string> => {
  const linkOf = ({ name, file }: ResultType): string => {
    const page = typePages.get(`${file} ${name}`)
    return `[\`${name}\`](${page === path ? "" : methodPageOf(page!)}#${anchorOf(name)})`
  }
  const types = typesOf(methods).filter(({ name, file }) => typePages.get(`${file} ${name}`) === path)
  const nameOf = (method: OfferedMethod) => method.path.slice(path.length + 1)
  const sections = await Promise.all(methods.map((method) => makeMethod(method, linkOf)))
  return [
    `---\ndescription: "The methods of lectern.${path}: parameters, results, errors and examples."\n---`,
    `# lectern.${path}`,
    `Topic: ${purpose}. See [services](../services.md#calls) for the rules of all calls.`,
    [
      "| Method | Purpose |",
      "| --- | --- |",
      ...methods.map(
        (method) =>
          `| [\`${nameOf(method)}\`](#${anchorOf(headingOf(method))}) | ${cell(firstSentence(method.comment))} |`
      )
    ].join("\n"),
    ...sections,
    ...(types.length === 0 ? [] : ["## Types", ...types.map(makeType)])
  ]
    .join("\n\n")
    .concat("\n")
}

const firstSentence = (comment: string): string => /^[\s\S]*?[.](?=\s+[A-Z`]|\s*$)/.exec(comment)?.[0] ?? comment

const makeMethod = async (method: OfferedMethod, linkOf: (type: ResultType) => string): Promise<string> => {
  const { comment, isTransactional, examples, resultComment, resultTypes } = method
  const transaction = isTransactional
    ? "Works in a [transaction](../../guides/embed-lectern.md#transactions)."
    : "Not in a [transaction](../../guides/embed-lectern.md#transactions)."
  const result = [resultTypes.map(linkOf).join(", "), resultComment].filter((text) => text !== "").join(": ")
  return [
    `## ${headingOf(method)}`,
    ...comment.split("\n\n").map((paragraph) => paragraph.replaceAll(/\s+/g, " ")),
    ["```ts", signatureOf(method), "```"].join("\n"),
    ...(await parameterTable(method.parameters)),
    ...(result === "" ? [] : [`**Returns** ${result}`]),
    ...failureTable(method),
    ...(isTransactional === undefined ? [] : [transaction]),
    ...examples.flatMap((example) => [["```ts", codeIn(example), "```"].join("\n")])
  ].join("\n\n")
}

/** Length of a signature in one line. Longer ones have a line for each parameter. */
const maxSignature = 90

const signatureOf = ({ path, typeParameters, parameters, result }: OfferedMethod): string => {
  const texts = parameters.map(({ name, isOptional, typeName }) => `${name}${isOptional ? "?" : ""}: ${typeName}`)
  const start = `lectern.${path}${typeParameters}(`
  const end = `): ${result}`
  const line = `${start}${texts.join(", ")}${end}`
  return line.length <= maxSignature ? line : [start, texts.map((text) => `  ${text}`).join(",\n"), end].join("\n")
}

const parameterTable = async (parameters: ReadonlyArray<Parameter>): Promise<ReadonlyArray<string>> => {
  const rows = await Promise.all(parameters.map(parameterRows))
  return rows.length === 0 ? [] : [["| Parameter | Description |", "| --- | --- |", ...rows.flat()].join("\n")]
}

const parameterRows = async (parameter: Parameter): Promise<ReadonlyArray<string>> => {
  const { name, isOptional, isList, fields, comment, typeComment } = parameter
  const explanation = explanations[parameter.type.replace("[]", "")]
  const described = [comment || typeComment, explanation ?? ""].filter((text) => text !== "").join(" ")
  const own = rowOf(name, isOptional, parameter.type, described)
  if (explanation !== undefined) return [own]
  const schemaFields = await schemaFieldsOf(parameter)
  return [
    ...(fields.length === 0 || comment !== "" ? [own] : []),
    ...fields.map((field) => {
      const { bounds = "", description = "" } = schemaFields.get(field.name) ?? {}
      const text = [field.comment || description, bounds].filter((part) => part !== "").join(" ")
      return rowOf(`${name}${isList ? "[]" : ""}.${field.name}`, field.isOptional, field.type, text)
    })
  ]
}

/** Returns a row of a parameter or a field. Its type is below its name, so that a phone has space for the description. */
const rowOf = (name: string, isOptional: boolean, type: string, description: string): string =>
  `| **${code(`${name}${isOptional ? "?" : ""}`)}**<br>${code(cell(type))} | ${cell(description)} |`

const failureTable = ({ isTransactional, failures, thrown }: OfferedMethod): ReadonlyArray<string> => {
  const rows = failures
    // The page of services says that every method of a service may fail with this error.
    .filter(({ name }) => name !== "StorageError" || isTransactional === undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, comment }) => {
      const own = thrown.find(([thrownName]) => thrownName === name)?.[1]
      return `| ${code(name)} | ${cell(own || comment.replace(/^Raised (\w)/, (_, letter: string) => letter.toUpperCase()))} |`
    })
  return rows.length === 0 ? [] : [["| Rejects with | When |", "| --- | --- |", ...rows].join("\n")]
}

const makeType = ({ name, comment, fields }: ResultType): string =>
  [
    `### ${name}`,
    ...(comment === "" ? [] : [comment.replaceAll(/\s+/g, " ")]),
    ["| Field | Description |", "| --- | --- |", ...fields.map(typeRow)].join("\n")
  ].join("\n\n")

/** Comments of fields that most resources have, unless a resource has its own. */
const commonFields: Readonly<Record<string, string>> = {
  object: "Kind of the resource.",
  id: "Id.",
  createdAt: "Time of the creation.",
  updatedAt: "Time of the last change.",
  permissions: "Operations that the actor may perform.",
  urls: "URLs of the resource."
}

const typeRow = ({ name, isOptional, type, comment }: Field): string =>
  rowOf(name, isOptional, type, comment || (commonFields[name] ?? ""))
