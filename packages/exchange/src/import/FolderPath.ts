/**
 * Functions for paths within a folder. Paths are relative, with `/` between names, and never lead out of the folder.
 */
import { toLine } from "@lectern/document/Text"
import { maxName } from "@lectern/core/content/files/File"

export const directory = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** Returns the name for a file at this path: the end of its base name, one line of at most 256 characters. */
export const fileName = (path: string): string => toLine(Array.from(baseName(path)).slice(-maxName).join("")) || "file"

/** Returns the path without `.`, `..` and repeated slashes. Undefined if it leads out of the folder. */
export const normalize = (path: string): string | undefined => {
  const names: Array<string> = []
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue
    if (name !== "..") names.push(name)
    else if (names.pop() === undefined) return undefined
  }
  return names.join("/")
}

/** Resolves a path against a directory. A path that starts with `/` is resolved against the root. */
export const join = (from: string, path: string, root = ""): string | undefined =>
  normalize(path.startsWith("/") ? `${root}/${path}` : `${from}/${path}`)

const markdownExtension = /\.(?:mdx?|markdown)$/i

export const isMarkdown = (path: string): boolean => markdownExtension.test(path)

/** True if the file is MDX: Markdown with components and expressions. */
export const isMdx = (path: string): boolean => /\.mdx$/i.test(path)

/** Returns the path of a page without its extension. */
export const withoutExtension = (path: string): string => path.replace(markdownExtension, "")

/** Returns true if the file is an asset, which is imported even without references. */
export const isAsset = (path: string): boolean => /(?:^|\/)\.gitbook\/assets\//.test(path)

/** True if the file extension is one of a picture. */
export const isPicture = (path: string): boolean => /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico|tiff?)$/i.test(path)

/** Returns true if a file is imported as a file, not parsed as a page. */
export const isFile = (path: string): boolean => !isMarkdown(path) || isAsset(path)

/** Returns true if the extension is one of another markup language than Markdown. */
export const isOtherMarkup = (path: string): boolean => /\.(?:mdoc|rst|adoc|asciidoc|org|textile)$/i.test(path)

/** Returns true if the file is the README or index of its folder. */
export const isReadme = (path: string): boolean => /^(?:readme|_?index)\.(?:mdx?|markdown)$/i.test(baseName(path))

/** True if a parent folder's name starts with a dot: such folders hold no pages. */
export const isInHiddenFolder = (path: string): boolean => /(?:^|\/)\.[^/]*\//.test(path)

const mdxInclude = /(?:^|\/)(?:_(?!index\.)[^/]*|_?snippets\/.*)\.mdx$/i

/**
 * True if the file is reusable content: in `.gitbook/includes`, or MDX that pages display as a component. Its name
 * starts with `_`, or it is in a folder `snippets`.
 */
export const isInclude = (path: string): boolean =>
  (/(?:^|\/)\.gitbook\/includes\//.test(path) && isMarkdown(path)) || mdxInclude.test(path)

/** Path of the file that describes a site of several folders (see `SiteFile`). */
export const siteFile = "site.yaml"

/** True if the file may configure the folder: it is in `.gitbook`, and is neither an asset nor reusable content. */
export const isConfigurationFile = (path: string): boolean =>
  /(?:^|\/)\.gitbook\//.test(path) && !isAsset(path) && !isInclude(path)
