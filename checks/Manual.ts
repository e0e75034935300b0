/**
 * Holds the manual together: every page stands in the table of contents, every link leads to a file and
 * a heading that exist, every path that the pages for engineers cite exists in the repository, and every name that a
 * page imports from a package, or says that a module of one has, is exported there.
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"

const contents = "docs/SUMMARY.md"

/** Pages that cite files: a path may leave out the folders that it begins with. */
const citesFiles = (page: string): boolean =>
  /^(ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/internals\/|^docs\/reference\/glossary\.md$/.test(page)

/** The anchor of a heading, as the manual's renderer makes it. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-")

const outsideOfCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "")

const anchors = (page: string): ReadonlyArray<string> =>
  [...readFileSync(page, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading!))

/** Every folder of the files, and the files themselves. */
const withFolders = (files: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(files.flatMap((file) => file.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"))))

const isThere = (path: string, known: ReadonlySet<string>): boolean =>
  known.has(path) || [...known].some((one) => one.endsWith(`/${path}`))

const brokenLinks = (page: string, text: string): ReadonlyArray<string> =>
  [...outsideOfCode(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target]) => {
    if (/^[a-z]+:|^\//.test(target!)) return []
    const [path, hash] = target!.split("#")
    const file = path === "" ? page : normalize(join(dirname(page), path!))
    if (!existsSync(file)) return [`${page}: the link ${target} leads to no file`]
    if (hash === undefined || anchors(file).includes(hash)) return []
    return [`${page}: the link ${target} leads to no heading`]
  })

const missingPaths = (page: string, text: string, known: ReadonlySet<string>): ReadonlyArray<string> =>
  [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)]
    .map(([, path]) => path!.replace(/\/$/, ""))
    .filter((path) => !path.startsWith(".") && (path.includes("/") || path.endsWith(".ts")))
    .filter((path) => !isThere(path, known))
    .map((path) => `${page}: there is no ${path}`)

interface Named {
  readonly module: string
  readonly names: ReadonlyArray<string>
}

const imported = (text: string): ReadonlyArray<Named> =>
  Array.from(text.matchAll(/^import \{([^}]*)\} from "@lectern\/([^"]+)"$/gm), ([, names, module]) => ({
    module: module!,
    names: names!.split(",").map((name) => name.trim().replace(/^type | as .*$/g, ""))
  }))

/** As in "`check(row)` of `@lectern/core/Row`"; of "`Row.check`" `Row` is exported. A service in small letters is no export. */
const cited = (text: string): ReadonlyArray<Named> =>
  Array.from(text.matchAll(/`(\w+|[A-Z]\w*\.\w+)(?:\([^`\n]*\))?` of `@lectern\/([\w/-]+)`/g), ([, name, module]) => ({
    module: module!,
    names: [name!.replace(/\..*/, "")]
  }))

const isExported = (name: string, source: string): boolean =>
  new RegExp(`^export (?:declare )?(?:const|function|class|interface|type|namespace) ${name}\\b`, "m").test(source) ||
  new RegExp(`^export (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\}`, "m").test(source)

/** `sourceOf`: the text of a module, as `core/space/Space`; undefined where there is none. */
export const missingNames = (
  page: string,
  text: string,
  sourceOf: (module: string) => string | undefined
): ReadonlyArray<string> =>
  [...imported(text), ...cited(text)].flatMap(({ module, names }) => {
    const source = sourceOf(module)
    if (source === undefined) return [`${page}: there is no @lectern/${module}`]
    return names
      .filter((name) => !isExported(name, source))
      .map((name) => `${page}: @lectern/${module} exports no ${name}`)
  })

/** Of a folder, all that is in it. */
const sourceOf = (module: string): string | undefined => {
  const [name = "", ...path] = module.split("/")
  const place = join("packages", name, "src", ...path)
  if (existsSync(`${place}.ts`)) return readFileSync(`${place}.ts`, "utf8")
  if (!existsSync(place)) return undefined
  return globSync(join(place, "*.ts"))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n")
}

export const manual = (files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const pages = files.filter((file) => file.endsWith(".md") && /^docs\/|^[A-Z]+\.md$/.test(file))
  const known = withFolders(files)
  const listed = new Set(
    [...readFileSync(contents, "utf8").matchAll(/\]\(([^)#]+)/g)].map(([, path]) => `docs/${path}`)
  )
  return pages.flatMap((page) => {
    const text = readFileSync(page, "utf8")
    const isOrphan = page.startsWith("docs/") && page !== contents && !listed.has(page)
    return [
      ...(isOrphan ? [`${page}: stands in no table of contents`] : []),
      ...brokenLinks(page, text),
      ...missingNames(page, text, sourceOf),
      ...(citesFiles(page) ? missingPaths(page, text, known) : [])
    ]
  })
}
