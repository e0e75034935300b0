/**
 * Checks the references of the manual: every page is in the table of contents, every link resolves to an existing file
 * and heading, every path that the pages for engineers cite exists, and every name that a page imports from a package
 * or cites from a module is exported by that module.
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"

const contents = "docs/SUMMARY.md"

/** True for pages that cite files of the repository. A cited path may omit its first folders. */
const citesFiles = (page: string): boolean =>
  /^(ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/internals\/|^docs\/reference\/glossary\.md$/.test(page)

/** Returns the anchor that the manual's renderer creates for a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-")

const outsideOfCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "")

const anchors = (page: string): ReadonlyArray<string> =>
  [...readFileSync(page, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading!))

/** Returns the paths of all files and of all their folders. */
const withFolders = (files: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(files.flatMap((file) => file.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"))))

const pathExists = (path: string, existing: ReadonlySet<string>): boolean =>
  existing.has(path) || [...existing].some((existingPath) => existingPath.endsWith(`/${path}`))

const brokenLinks = (page: string, text: string): ReadonlyArray<string> =>
  [...outsideOfCode(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target]) => {
    if (/^[a-z]+:|^\//.test(target!)) return []
    const [path, hash] = target!.split("#")
    const file = path === "" ? page : normalize(join(dirname(page), path!))
    if (!existsSync(file)) return [`${page}: the link ${target} resolves to no file`]
    // A server publishes only `docs`.
    if (page.startsWith("docs/") && !file.startsWith("docs/")) return [`${page}: the link ${target} leads out of docs`]
    if (hash === undefined || anchors(file).includes(hash)) return []
    return [`${page}: the link ${target} resolves to no heading`]
  })

const missingPaths = (page: string, text: string, existing: ReadonlySet<string>): ReadonlyArray<string> =>
  [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)]
    .map(([, path]) => path!.replace(/\/$/, ""))
    .filter((path) => !path.startsWith(".") && (path.includes("/") || path.endsWith(".ts")))
    .filter((path) => !pathExists(path, existing))
    .map((path) => `${page}: ${path} does not exist`)

interface CitedNames {
  readonly module: string
  readonly names: ReadonlyArray<string>
}

const imported = (text: string): ReadonlyArray<CitedNames> =>
  Array.from(text.matchAll(/^import \{([^}]*)\} from "@lectern\/([^"]+)"$/gm), ([, names, module]) => ({
    module: module!,
    names: names!.split(",").map((name) => name.trim().replace(/^type | as .*$/g, ""))
  }))

/**
 * Returns names from phrases such as "`check(row)` of `@lectern/core/Row`". For "`Row.check`" the name is `Row`. A member
 * of a lower-case name, such as a service of a host, is not an export.
 */
const cited = (text: string): ReadonlyArray<CitedNames> =>
  Array.from(text.matchAll(/`(\w+|[A-Z]\w*\.\w+)(?:\([^`\n]*\))?` of `@lectern\/([\w/-]+)`/g), ([, name, module]) => ({
    module: module!,
    names: [name!.replace(/\..*/, "")]
  }))

const isExported = (name: string, source: string): boolean =>
  new RegExp(`^export (?:declare )?(?:const|function|class|interface|type|namespace) ${name}\\b`, "m").test(source) ||
  new RegExp(`^export (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\}`, "m").test(source)

/** `sourceOf` returns the text of a module such as `core/space/Space`, or undefined if the module does not exist. */
export const missingNames = (
  page: string,
  text: string,
  sourceOf: (module: string) => string | undefined
): ReadonlyArray<string> =>
  [...imported(text), ...cited(text)].flatMap(({ module, names }) => {
    const source = sourceOf(module)
    if (source === undefined) return [`${page}: @lectern/${module} does not exist`]
    return names
      .filter((name) => !isExported(name, source))
      .map((name) => `${page}: @lectern/${module} exports no ${name}`)
  })

/** Returns the text of a module. For a folder, returns the text of all its files. */
const sourceOf = (module: string): string | undefined => {
  const [name = "", ...folders] = module.split("/")
  const path = join("packages", name, "src", ...folders)
  if (existsSync(`${path}.ts`)) return readFileSync(`${path}.ts`, "utf8")
  if (!existsSync(path)) return undefined
  return globSync(join(path, "*.ts"))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n")
}

export const manual = (files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const pages = files.filter((file) => file.endsWith(".md") && /^docs\/|^[A-Z]+\.md$/.test(file))
  const existing = withFolders(files)
  const listedNames = new Set(
    [...readFileSync(contents, "utf8").matchAll(/\]\(([^)#]+)/g)].map(([, path]) => `docs/${path}`)
  )
  return pages.flatMap((page) => {
    const text = readFileSync(page, "utf8")
    const isOrphan = page.startsWith("docs/") && page !== contents && !listedNames.has(page)
    return [
      ...(isOrphan ? [`${page}: is missing in the table of contents`] : []),
      ...brokenLinks(page, text),
      ...missingNames(page, text, sourceOf),
      ...(citesFiles(page) ? missingPaths(page, text, existing) : [])
    ]
  })
}
