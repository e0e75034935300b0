/** Links and embeds in double brackets: `[[page#heading|text]]`, `![[picture.png|300]]`. */

/** Start of a URL that names a page or a file by its name, wherever it is in the folder. */
export const nameScheme = "lectern-name:"

export type Resolves = (url: string) => boolean

const pattern = /(!?)\[\[([^[\]|\n<>]{1,300})(?:\|([^[\]\n]{0,300}))?\]\]/y
const picture = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i

/** Returns the Markdown of a link at an offset, and its end. Undefined if it leads to nothing. */
export const read = (
  text: string,
  at: number,
  resolves: Resolves
): { readonly markdown: string; readonly end: number } | undefined => {
  pattern.lastIndex = at
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, embed, target = "", label] = match
  const [path = "", ...fragments] = target.trim().split("#")
  const heading = fragments.at(-1)
  const isBlock = heading?.startsWith("^") === true
  const anchor = heading === undefined || isBlock ? "" : `#${anchorOf(heading)}`
  const url = path === "" ? anchor : nameScheme + path.trim() + anchor
  if (url === "" || (path !== "" && !resolves(url))) return undefined
  const end = pattern.lastIndex
  if (embed === "!" && picture.test(path)) return { markdown: image(url, path, label), end }
  const name = label?.trim() || (path === "" ? (heading ?? "") : target.trim().replaceAll("#", " > "))
  return { markdown: `[${name.replace(/[\\`*_<]/g, "\\$&")}](<${url}>)`, end }
}

const image = (url: string, path: string, label: string | undefined): string => {
  const size = /^(\d{1,4})(?:x(\d{1,4}))?$/.exec(label?.trim() ?? "")
  const alt = size === null ? (label ?? "") : ""
  if (size === null) return `![${alt.trim() || path.slice(path.lastIndexOf("/") + 1)}](<${url}>)`
  const height = size[2] === undefined ? "" : ` height="${size[2]}"`
  return `<img src="${url.replaceAll('"', "&quot;")}" alt="" width="${size[1]}"${height}>`
}

const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s+/g, "-")
