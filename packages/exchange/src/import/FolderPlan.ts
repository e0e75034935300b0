/**
 * Plan of an import, made before any change: the tree of pages, variables and reusable content. The tree comes from
 * `SUMMARY.md`, or else the navigation of another program (see `Navigation`), or else the folders. Markdown files
 * without an entry in the summary become hidden pages, so that no page is lost and links still resolve.
 */
import { Effect, Result } from "effect"
import { decodePercent } from "@lectern/document/PercentEncoding"
import { maxPages } from "@lectern/core/content/pages/PageTree"
import type { Variables } from "@lectern/core/content/pages/Page"
import {
  type Folder,
  type FolderFile,
  FolderTooLarge,
  type ImportProblem,
  maxMarkdownBytes,
  maxPathLength,
  type OtherPage
} from "./Folder.ts"
import * as FileFields from "./FileFields.ts"
import { FolderIndex } from "./FolderIndex.ts"
import { isStorable } from "@lectern/document/Text"
import * as FolderPath from "./FolderPath.ts"
import type { ImportRule } from "./ImportRules.ts"
import * as TagsYaml from "@lectern/core/content/tags/TagsYaml"
import * as GitbookYaml from "./GitbookYaml.ts"
import type { Origins } from "./Origins.ts"
import * as Navigation from "./navigation/Navigation.ts"
import * as NavigationPlan from "./navigation/NavigationPlan.ts"
import * as FileTitles from "./navigation/FileTitles.ts"
import * as PageOrder from "./navigation/PageOrder.ts"
import * as Scripts from "./navigation/Scripts.ts"
import * as FolderTree from "./FolderTree.ts"
import type { PlannedDocument, PlannedPage } from "./PlannedPage.ts"
import * as PlannedTree from "./PlannedTree.ts"
import { missingGroups, pagesOfGroups } from "./PartPages.ts"
import * as SummaryPlan from "./SummaryPlan.ts"

export interface FolderPlan {
  readonly pages: ReadonlyArray<PlannedPage>
  readonly index: FolderIndex
  /** Folder that paths starting with `/` are resolved against. */
  readonly root: string
  /** Path of the table of contents, even if the file does not exist. */
  readonly summary: string
  /** Files that are imported even without references. */
  readonly assets: ReadonlyArray<FolderFile>
  readonly reusableContents: ReadonlyArray<FolderFile>
  /** Fields of the files that the folder sets, by path. */
  readonly fileFields: ReadonlyMap<string, FileFields.FileFields>
  /** Files that exports write back unchanged: configuration files of the folder, and files of unknown purpose. */
  readonly passthroughFiles: ReadonlyArray<FolderFile>
  /** Former paths and the files that they redirect to. */
  readonly redirects: ReadonlyMap<string, string>
  /** Line numbers of entries in the table of contents that result in no page. */
  readonly skippedLines: ReadonlyArray<number>
  /** Paths of files that the tree was read from, in addition to the table of contents. */
  readonly navigation: ReadonlyArray<string>
  /** Variables of the space. Undefined if the folder does not define variables. */
  readonly variables: Variables | undefined
  readonly problems: ReadonlyArray<ImportProblem>
  /** Titles of groups of the part that the navigation lacks. Absent if the part has all pages. */
  readonly missingGroups?: ReadonlyArray<string>
  /** Pages of other parts of the folder by path. Absent if the whole folder is imported. */
  readonly otherPages?: ReadonlyMap<string, OtherPage>
  /** Origins of the files. Absent if the files exist only in a folder. */
  readonly origins?: Origins
}

export const make = Effect.fnUntraced(function* (folder: Folder) {
  const problems: Array<ImportProblem> = [...(folder.problems ?? [])]
  const files = withValidPaths(folder.files, problems)
  // Each step reads all files. The fiber yields between the steps, since the files may be many.
  yield* Effect.yieldNow
  const index = new FolderIndex(files)
  yield* Effect.yieldNow
  const { part } = folder
  const settingsPath = part === undefined || part.folder === "" ? ".gitbook.yaml" : `${part.folder}/.gitbook.yaml`
  const {
    root,
    readme,
    redirects = {},
    summary
  } = folder.layout ?? (yield* configuration(index, settingsPath, part?.folder ?? "", problems))
  const at = (path: string) => (root === "" ? path : `${root}/${path}`)
  const isWithin = (file: FolderFile, path: string) =>
    file.path.startsWith(path === "" ? "" : `${path}/`) &&
    part?.excluded.some((excluded) => file.path.startsWith(`${excluded}/`)) !== true

  const summaryFile = index.file(at(summary))
  const markdown = files.filter(
    (file) =>
      FolderPath.isMarkdown(file.path) &&
      folder.omitted?.has(file.path) !== true &&
      !FolderPath.isInclude(file.path) &&
      isWithin(file, root) &&
      file !== summaryFile &&
      !FolderPath.isInHiddenFolder(file.path.slice(root.length))
  )
  for (const file of files) {
    const { path } = file
    if (
      FolderPath.isOtherMarkup(path) &&
      isWithin(file, root) &&
      !FolderPath.isInHiddenFolder(path.slice(root.length))
    ) {
      problems.push({ path, message: "It is left out: pages are read from Markdown, in files that end in .md" })
    }
  }
  const { pages, skippedLines, navigation } =
    summaryFile === undefined
      ? yield* fromNavigation(markdown, { root, readme, index, problems, folder })
      : {
          ...(yield* SummaryPlan.make(summaryFile, markdown, { root, readme, index, problems, folder })),
          navigation: []
        }
  yield* Effect.yieldNow
  const partPages = part?.groups === undefined ? pages : pagesOfGroups(pages, part.groups)
  const boundedPages = PlannedTree.limitDepth(partPages, problems)
  if (PlannedTree.count(boundedPages) > maxPages) {
    return yield* new FolderTooLarge({
      message: `The folder holds more than the ${maxPages} pages that a space may have`
    })
  }
  yield* reportInvalidTags(index.file(at(TagsYaml.path)), problems)
  const fields = yield* readFileFields(index.file(at(FileFields.path)), problems)
  return {
    pages: boundedPages,
    index,
    root,
    summary: summaryFile?.path ?? at(summary),
    skippedLines,
    navigation,
    redirects: resolveRedirects(redirects, settingsPath, at, index, problems),
    fileFields: fields,
    assets: files.filter(
      (file) =>
        part?.groups?.hasOthers !== false &&
        ((isWithin(file, root) && FolderPath.isAsset(file.path)) || fields.has(file.path))
    ),
    reusableContents: files.filter((file) => isWithin(file, root) && FolderPath.isInclude(file.path)),
    passthroughFiles: passthroughFilesOf(files, problems, {
      contents: summaryFile,
      prefix: at(""),
      site: index.file(FolderPath.siteFile),
      configuration: folder.layout === undefined ? index.file(settingsPath) : undefined
    }),
    variables: yield* readVariables(index.file(at(".gitbook/vars.yaml")), problems),
    problems,
    ...(part !== undefined && { otherPages: part.otherPages }),
    ...(part?.groups !== undefined && { missingGroups: missingGroups(pages, part.groups) })
  } satisfies FolderPlan
})

const maxRedirects = 5000

/** Returns the files that former paths redirect to. Reports redirects without a target. */
const resolveRedirects = (
  redirects: Readonly<Record<string, string>>,
  settingsPath: string,
  at: (path: string) => string,
  index: FolderIndex,
  problems: Array<ImportProblem>
): ReadonlyMap<string, string> => {
  const targets = new Map<string, string>()
  const report = (rule: ImportRule, message: string) => void problems.push({ path: settingsPath, rule, message })
  const all = Object.entries(redirects)
  if (all.length > maxRedirects) report("invalid-settings", `Of its redirects the first ${maxRedirects} are taken`)
  for (const [from, to] of all.slice(0, maxRedirects)) {
    const path = FolderPath.normalize(decodePercent(to.replace(/[?#].*$/s, "")).trim())
    const file = path === undefined || path === "" ? undefined : index.page(at(path))
    if (file !== undefined) targets.set(decodePercent(from), file.path)
    else
      report(
        "broken-redirect",
        `The redirect from "${from.slice(0, 80)}" leads to no page: there is no ${to.slice(0, 200)}`
      )
  }
  return targets
}

const maxPassthroughBytes = 1024 * 1024
const maxPassthroughFiles = 1000

/**
 * Returns the table of contents, the configuration, `site.yaml`, and the files in `.gitbook` folders that are neither
 * assets nor reusable content.
 */
const passthroughFilesOf = (
  files: ReadonlyArray<FolderFile>,
  problems: Array<ImportProblem>,
  {
    contents,
    prefix,
    site,
    configuration
  }: {
    readonly contents: FolderFile | undefined
    readonly prefix: string
    readonly site: FolderFile | undefined
    readonly configuration: FolderFile | undefined
  }
): ReadonlyArray<FolderFile> => {
  const isConfiguration = ({ path }: FolderFile) =>
    path.startsWith(prefix) && path !== prefix + FileFields.path && FolderPath.isConfigurationFile(path)
  const candidates = files.filter((file) => isConfiguration(file))
  const accepted = candidates.filter(({ size }) => size <= maxPassthroughBytes).slice(0, maxPassthroughFiles)
  const paths = new Set(accepted.map(({ path }) => path))
  for (const { path } of candidates) {
    if (!paths.has(path)) problems.push({ path, message: "It is too large, and is left out" })
  }
  return [contents, configuration, site, ...accepted].filter((file) => file !== undefined)
}

const withValidPaths = (files: ReadonlyArray<FolderFile>, problems: Array<ImportProblem>): ReadonlyArray<FolderFile> =>
  files.filter(({ path }) => {
    if (path.length <= maxPathLength && path.isWellFormed() && FolderPath.normalize(path) === path) return true
    problems.push({ path: path.slice(0, 200).toWellFormed(), message: "A path like this can't be imported" })
    return false
  })

const decoder = new TextDecoder()

/** Reads the settings of a folder. Returns a root below this folder. */
const configuration = Effect.fnUntraced(function* (
  index: FolderIndex,
  path: string,
  folder: string,
  problems: Array<ImportProblem>
) {
  const file = index.file(path)
  if (file === undefined) return { ...GitbookYaml.defaults, root: folder }
  const { config, problems: messages } = GitbookYaml.parse(decoder.decode(yield* file.bytes()))
  for (const message of messages) problems.push({ path: file.path, rule: "invalid-settings", message })
  return { ...config, root: FolderPath.join(folder, config.root) ?? folder }
})

/** Reports invalid tags. The file itself is stored, and its tags are read later (see `DefinedTags`). */
const reportInvalidTags = Effect.fnUntraced(function* (file: FolderFile | undefined, problems: Array<ImportProblem>) {
  if (file === undefined) return
  for (const message of TagsYaml.read(decoder.decode(yield* file.bytes())).problems) {
    problems.push({ path: file.path, rule: "invalid-settings", message })
  }
})

const readVariables = Effect.fnUntraced(function* (file: FolderFile | undefined, problems: Array<ImportProblem>) {
  if (file === undefined) return undefined
  const yaml = GitbookYaml.readYaml(decoder.decode(yield* file.bytes()))
  if (Result.isFailure(yaml)) {
    problems.push({ path: file.path, rule: "invalid-settings", message: yaml.failure })
    return undefined
  }
  const values: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(yaml.success)) {
    const isValue =
      (typeof value === "string" && isStorable(value)) ||
      typeof value === "boolean" ||
      (typeof value === "number" && Number.isFinite(value))
    if (isValue && /^[\p{L}_$][\p{L}\p{N}_$.-]{0,127}$/u.test(name)) values[name] = value
    else
      problems.push({
        path: file.path,
        rule: "invalid-settings",
        message: `The variable "${name.slice(0, 80)}" has no well-formed text, number or truth value`
      })
  }
  return values
})

const readFileFields = Effect.fnUntraced(function* (file: FolderFile | undefined, problems: Array<ImportProblem>) {
  if (file === undefined) return new Map<string, FileFields.FileFields>()
  const parsedFields =
    file.size > FileFields.maxLength ? undefined : FileFields.parse(decoder.decode(yield* file.bytes()))
  if (parsedFields === undefined) {
    problems.push({
      path: file.path,
      rule: "invalid-settings",
      message: "It says nothing about files that can be read"
    })
    return new Map<string, FileFields.FileFields>()
  }
  const { fields, invalidPaths } = parsedFields
  if (invalidPaths.length > 0) {
    const listedPaths = invalidPaths.slice(0, 3).map((path) => path.slice(0, 200))
    const ellipsis = invalidPaths.length > listedPaths.length ? " …" : ""
    problems.push({
      path: file.path,
      rule: "invalid-settings",
      message: `What it says of these files can't be read, and is left out: ${listedPaths.join(", ")}${ellipsis}`
    })
  }
  return fields
})

/** Returns the tree of a folder without a table of contents. */
const fromNavigation = Effect.fnUntraced(function* (
  markdown: ReadonlyArray<FolderFile>,
  options: {
    readonly root: string
    readonly readme: string
    readonly index: FolderIndex
    readonly problems: Array<ImportProblem>
    readonly folder: Folder
  }
) {
  const { folder, index, readme, root } = options
  const foundNavigation = yield* Navigation.find(options)
  if (foundNavigation !== undefined) {
    const pagesOf = { ...options, markdown: new Set(markdown.filter(isReadable)), omitted: folder.omitted }
    const titles = yield* FileTitles.read(NavigationPlan.filesOf(foundNavigation, pagesOf))
    const order = NavigationPlan.hasFolder(foundNavigation.entries)
      ? yield* PageOrder.read([...pagesOf.markdown], index.files, folder.showsDrafts)
      : PageOrder.noOrder
    const { plannedFiles, pages } = NavigationPlan.make(foundNavigation, { ...pagesOf, order, titles })
    const top = [...pages]
    // An exported table of contents can't hide the README: an import takes it for the first page.
    const first = index.page(root === "" ? readme : `${root}/${readme}`)
    if (first !== undefined && !plannedFiles.has(first) && markdown.includes(first)) {
      const page: PlannedDocument = { type: "document", file: first, children: [] }
      plannedFiles.set(first, page)
      top.push(page)
    }
    yield* Effect.yieldNow
    PlannedTree.addUnlisted(top, markdown, root, plannedFiles)
    return { pages: top, skippedLines: [], navigation: foundNavigation.files }
  }
  const order = yield* PageOrder.read(markdown.filter(isReadable), index.files, folder.showsDrafts)
  const navigation = Array.from(index.files, ({ path }) => path).filter(
    (path) => PageOrder.isFolderFile(path) || Scripts.formatOf(path) !== undefined
  )
  const visible = markdown.filter(({ path }) => order.pages.get(path)?.hidden !== true)
  const pages = [...FolderTree.make(visible, root, false, order)]
  if (visible.length < markdown.length) {
    const plannedFiles = new Map(Array.from(PlannedTree.documents(pages), (page) => [page.file, page] as const))
    PlannedTree.addUnlisted(pages, markdown, root, plannedFiles)
  }
  return { pages, skippedLines: [], navigation }
})

/** Returns the plan of pages with a known tree. */
export const fromPages = (
  pages: ReadonlyArray<PlannedPage>,
  files: ReadonlyArray<FolderFile>,
  origins: Origins
): FolderPlan => {
  const problems: Array<ImportProblem> = []
  return {
    pages: PlannedTree.limitDepth(pages, problems),
    index: new FolderIndex(files),
    root: "",
    summary: GitbookYaml.defaults.summary,
    assets: [],
    reusableContents: [],
    passthroughFiles: [],
    skippedLines: [],
    navigation: [],
    redirects: new Map(),
    fileFields: new Map(),
    variables: undefined,
    problems,
    origins
  }
}

/** Returns true if a Markdown file is small enough to be parsed. */
export const isReadable = (file: FolderFile): boolean => file.size <= maxMarkdownBytes
