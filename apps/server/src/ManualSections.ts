/**
 * Sections of the manual, each a space of its own. The groups of the manual's table of contents belong to one section
 * each. A link from one section to another refers to the page by its id, so it still works after the page moves.
 *
 * Groups that no section names belong to the first section. The pages of the first group of a section are at its top.
 */
import * as Folder from "@lectern/exchange/import/Folder"
import type * as Resources from "@lectern/core/content/ContentResources"
import { Effect } from "effect"
import { posix } from "node:path"

export interface ManualSection {
  readonly title: string
  readonly icon: string
  readonly description: string
  /** Groups of the table of contents. "": the pages before the first group. */
  readonly groups: ReadonlyArray<string>
}

export const manualSections = [
  {
    title: "Use",
    icon: "book-open",
    description: "Write, review and publish",
    groups: ["", "Concepts", "Publishing", "Guides"]
  },
  {
    title: "Embed",
    icon: "cubes",
    description: "Lectern in your application, and integrations",
    groups: ["Embedding", "Integrations"]
  },
  { title: "Run", icon: "server", description: "A server of your own", groups: ["Self-hosting"] },
  {
    title: "Reference",
    icon: "list",
    description: "The API, formats, and how Lectern works",
    groups: ["Reference", "Internals"]
  }
] as const satisfies ReadonlyArray<ManualSection>

const summaryPath = "SUMMARY.md"
const layoutPath = ".gitbook.yaml"
const decoder = new TextDecoder()
const encoder = new TextEncoder()

interface Contents {
  /** Table of contents of the section. */
  readonly summary: string
  readonly pages: ReadonlySet<string>
}

/** Returns the table of contents of each section. */
const contentsOf = (summary: string): ReadonlyArray<Contents> => {
  const parts = manualSections.map(() => ({ lines: ["# Table of contents", ""], pages: new Set<string>() }))
  let part = parts[0]!
  for (const line of summary.split("\n")) {
    if (line.startsWith("# ")) continue
    const group = /^## (.*)/.exec(line)?.[1]
    if (group !== undefined) {
      const section = manualSections.findIndex(({ groups }: ManualSection) => groups.includes(group.trim()))
      part = parts[Math.max(section, 0)]!
      if (manualSections[section]?.groups[0] === group.trim()) continue
    }
    part.lines.push(line)
    const path = /\]\(([^)#]+)\)/.exec(line)?.[1]
    if (path !== undefined) part.pages.add(path)
  }
  return parts.map(({ lines, pages }) => ({ summary: lines.join("\n"), pages }))
}

const isPage = ({ path }: Folder.FolderFile): boolean => path.endsWith(".md") && path !== summaryPath

/** Returns a file whose text is changed when it is read. */
const changedFile = (file: Folder.FolderFile, change: (text: string) => string): Folder.FolderFile => ({
  ...file,
  bytes: () => Effect.map(file.bytes(), (bytes) => encoder.encode(change(decoder.decode(bytes))))
})

/** Splits the files of the manual into the folders of its sections, in the order of `manualSections`. */
export const foldersOf = Effect.fnUntraced(function* (files: ReadonlyArray<Folder.FolderFile>) {
  const summaryFile = files.find(({ path }) => path === summaryPath)
  if (summaryFile === undefined) return [files]
  const sections = contentsOf(decoder.decode(yield* summaryFile.bytes()))
  const listedPages = new Set(sections.flatMap(({ pages }) => [...pages]))
  return sections.map(({ summary, pages }, i) =>
    files.flatMap((file) =>
      file.path === summaryPath
        ? Folder.file(summaryPath, summary)
        : // Files that are not listed, such as pictures and reusable content, belong to the first section.
          (listedPages.has(file.path) ? pages.has(file.path) : i === 0 || file.path === layoutPath)
          ? file
          : []
    )
  )
})

/** Returns the files of a section that determine its tree of pages. The pages are empty. */
export const emptyPages = (files: ReadonlyArray<Folder.FolderFile>): ReadonlyArray<Folder.FolderFile> =>
  files.flatMap((file) => {
    if (isPage(file)) return Folder.file(file.path, "")
    return file.path === summaryPath || file.path === layoutPath ? file : []
  })

/** URL of a page in Markdown, by the path of its file. */
export type PageUrls = ReadonlyMap<string, string>

/** Returns the URLs of the pages of a space. */
export const pageUrlsOf = (space: string, { pages }: Resources.Pages): PageUrls =>
  new Map(
    pages.flatMap((page): ReadonlyArray<readonly [string, string]> => [
      ...(page.type === "document" && page.git !== undefined
        ? [[page.git.path, `/spaces/${space}/pages/${page.id}`] as const]
        : []),
      ...("pages" in page ? pageUrlsOf(space, page as Resources.Pages) : [])
    ])
  )

/** Code, which contains no links, and the destinations of links in Markdown and HTML. */
const destinations = /^```[\s\S]*?^```|`[^`\n]*`|(?<=\]\()([^)\s#]+)|(?<=href=")([^"#]+)/gm

/** Returns the files of a section with links to other sections. `urls`: pages of the other sections. */
export const withLinks = (files: ReadonlyArray<Folder.FolderFile>, urls: PageUrls): ReadonlyArray<Folder.FolderFile> =>
  files.map((file) =>
    isPage(file)
      ? changedFile(file, (text) =>
          text.replaceAll(destinations, (match: string, inMarkdown?: string, inHtml?: string) => {
            const path = inMarkdown ?? inHtml
            return path === undefined ? match : (urls.get(posix.join(posix.dirname(file.path), path)) ?? match)
          })
        )
      : file
  )
