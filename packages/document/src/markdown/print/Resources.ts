/** Serializes the targets of links and images, and link definitions. */
import { escape } from "./Escape.ts"
import type { Link, Resource } from "./Phrase.ts"
import * as TextContext from "./TextContext.ts"

/** A link definition with its label. */
export interface Definition extends Resource {
  readonly label: string
}

/** Returns the content of the parentheses of a link or image. */
export const resource = ({ url, title }: Resource, context: number): string =>
  destination(url, context, { isEnclosed: url === "" && title !== undefined, after: title === undefined ? ")" : " " }) +
  writeTitle(title, context)

export const definition = ({ label, url, title }: Definition): string => {
  const after = title === undefined ? "\n" : " "
  const target = destination(url, 0, { isEnclosed: url === "", after })
  return `[${escape(label, TextContext.label, "[", "]")}]: ${target}${writeTitle(title, 0)}`
}

/** True if a URL contains a space or control character, which would end a destination without `<…>`. */
export const mustBeEnclosed = (url: string): boolean => /[\0- \u007F]/.test(url)

const destination = (
  url: string,
  context: number,
  { isEnclosed, after }: { readonly isEnclosed: boolean; readonly after: string }
): string =>
  isEnclosed || mustBeEnclosed(url)
    ? `<${escape(url, TextContext.inEnclosed(context), "<", ">")}>`
    : escape(url, TextContext.inDestination(context), "(", after)

const writeTitle = (title: string | undefined, context: number): string =>
  title === undefined ? "" : ` "${escape(title, TextContext.inTitle(context), '"', '"')}"`

/** True if a link is written as `<url>`. */
export const isAutolink = ({ url, title, children }: Link): boolean => {
  const [text, ...rest] = children
  if (url === "" || title !== undefined || text?.type !== "text" || rest.length > 0) return false
  if (text.value !== url && `mailto:${text.value}` !== url) return false
  if (!/^[a-z][+\-.a-z]+:/i.test(url) || /[\0- <>\u007F]/.test(url)) return false
  return url.startsWith("mailto:") ? mailtoUrl.test(url) : !url.includes("|")
}

/** Addresses that are valid in `<…>`: fewer than GFM links in plain text. */
const mailtoUrl =
  /^mailto:[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i
