/**
 * Patterns of attribute lists, for dialects that have them: `{: #id .class name="value" }`, or without the colon.
 *
 * Limits: an id of a heading has at most 200 characters.
 */
const quotedValue = String.raw`"[^"{}\n]*"|'[^'{}\n]*'`
const item = String.raw`(?:\.[A-Za-z_-][\w:-]*)+|#[^\s{}#*/"<>\\.=]+|[A-Za-z_:@][\w:.@-]*=(?:${quotedValue}|[^\s"'{}<>=]+)`

export const anyItem = String.raw`toc|${item}`
/** A class, an id or a quoted value. Other braces could be text. */
export const certainItem = String.raw`(?:\.[A-Za-z_-][\w:-]*)+|#[A-Za-z][^\s{}#*/"<>\\.=]*|[a-z-]+=(?:${quotedValue})`

/** Returns a sticky pattern of a list. `start`: source of its opening. `first`: source of its first item. */
export const listPattern = (start: string, first: string): RegExp =>
  new RegExp(String.raw`${start}[ \t]*(?:${first})(?:[ \t]+(?:${anyItem}))*[ \t]*\}`, "y")

const name = String.raw`#([^\s{}#*/"<>\\]{1,200})`
const idAttribute = String.raw`id=(?:"([^\s{}"<>\\]{1,200})"|'([^\s{}'"<>\\]{1,200})')`
export const headingAttribute = String.raw`(?:(?:\.[\w-]+)+|[\w-]+=(?:"[^"{}]*"|[^\s"{}]+))`

/** Returns the source of a pattern for a list after a heading. `first`: source of its first item. */
export const headingList = (start: string, first: string): string =>
  String.raw`${start}[ \t]*${first}(?:[ \t]+${headingAttribute})*[ \t]*\}`

export const headingListWithId = (start: string): string =>
  headingList(start, String.raw`(?:${headingAttribute}[ \t]+)*(?:${name}|${idAttribute})`)
