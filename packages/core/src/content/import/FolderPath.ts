/** Paths within a folder: relative, with `/` between names, never leading out of it. */
import { inOneLine } from "@lectern/document/Text"
import { maxName } from "../files/File.ts"

export const directory = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** The name that a file of this path gets: a line of at most 256 characters, its end. */
export const fileName = (path: string): string =>
  inOneLine(Array.from(baseName(path)).slice(-maxName).join("")) || "file"

/** The path without `.`, `..` and doubled slashes; undefined where it leads out of the folder. */
export const normalise = (path: string): string | undefined => {
  const names: Array<string> = []
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue
    if (name !== "..") names.push(name)
    else if (names.pop() === undefined) return undefined
  }
  return names.join("/")
}

/** Joins a path in a file of this directory with the directory; `/` at its start is the root. */
export const join = (from: string, path: string, root = ""): string | undefined =>
  normalise(path.startsWith("/") ? `${root}/${path}` : `${from}/${path}`)

/** Tells whether a URL names something outside the folder: it has a scheme or a host. */
export const isExternal = (url: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url)

export const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path)

/** Tells whether a file is one of the files that come along, whatever it is. */
export const isAsset = (path: string): boolean => /(?:^|\/)\.gitbook\/assets\//.test(path)

/** True if the file extension is one of a picture. */
export const isPicture = (path: string): boolean => /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico|tiff?)$/i.test(path)

/** Tells whether a file is not read as text, but comes along as it is. */
export const isFile = (path: string): boolean => !isMarkdown(path) || isAsset(path)

/** Tells whether a file looks like a page in another markup than Markdown. */
export const isOtherMarkup = (path: string): boolean => /\.(?:mdx|mdoc|rst|adoc|asciidoc|org|textile)$/i.test(path)

/** Tells whether a file speaks for its folder. */
export const isReadme = (path: string): boolean => /^(?:readme|_?index)\.(?:md|markdown)$/i.test(baseName(path))

/** True if a parent folder's name starts with a dot: such folders hold no pages. */
export const isInHiddenFolder = (path: string): boolean => /(?:^|\/)\.[^/]*\//.test(path)

/** True if the file is reusable content. */
export const isInclude = (path: string): boolean => /(?:^|\/)\.gitbook\/includes\//.test(path) && isMarkdown(path)

/** True if the file may configure the folder: it is in `.gitbook`, and is neither an asset nor reusable content. */
export const isOfFolder = (path: string): boolean =>
  /(?:^|\/)\.gitbook\//.test(path) && !isAsset(path) && !isInclude(path)
