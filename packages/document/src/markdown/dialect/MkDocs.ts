/**
 * MkDocs, with the syntax of Python-Markdown and PyMdown Extensions: hints, tabs and attribute lists without a colon.
 *
 * - `!!! note "A title"` starts a hint, `???` a collapsed one, `???+` an expanded one. Further words after the name are
 *   ignored. An unknown name is an `info` hint.
 * - `=== "A title"` starts a tab. Adjacent tabs form a group. `===!` starts a new group. `===+` marks the initial tab,
 *   which is ignored.
 *
 * Limits: a first line has at most 1,000 characters.
 */
import type { LineCursor } from "../syntax/LineCursor.ts"
import { anyItem, certainItem, headingList, headingListWithId, listPattern } from "./AttributePatterns.ts"
import type { Dialect, HintStart, Range, TabStart } from "./Dialect.ts"
import { commonStyles, stylesByName } from "./HintStyles.ts"

const maxLine = 1000
const indent = 4
const brace = String.raw`\{`

const styles = stylesByName({
  success: "hint check done",
  warning: "attention",
  danger: "error failure bug"
})

const hintLine = /^(!!!|\?\?\?\+?)[ \t]?([A-Za-z][\w-]*)(?:[ \t]+[A-Za-z][\w-]*)*(?:[ \t]+"(.*)")?[ \t]*$/
const tabLine = /^===(!|\+|!\+|\+!)?[ \t]+"(.*)"[ \t]*$/

/** Returns the match of a first line, and the range of a title in quotes at its end. */
const matchLine = (pattern: RegExp, { text, next, end }: LineCursor) => {
  const line = end - next > maxLine ? "" : text.slice(next, end)
  const match = pattern.exec(line)
  const titleEnd = next + line.trimEnd().length - 1
  return match && { match, titleRange: (title: string): Range => [titleEnd - title.length, titleEnd] }
}

const hintAt = (cursor: LineCursor): HintStart | undefined => {
  const line = matchLine(hintLine, cursor)
  if (line === null) return undefined
  const [, marker = "", name = "", title = ""] = line.match
  const styleName = name.toLowerCase()
  return {
    type: "hint",
    name,
    style: commonStyles.get(styleName) ?? styles.get(styleName) ?? "info",
    expandState: marker === "!!!" ? undefined : marker === "???" ? "closed" : "open",
    title: title.trim() === "" ? undefined : line.titleRange(title)
  }
}

const tabAt = (cursor: LineCursor): TabStart | undefined => {
  const line = matchLine(tabLine, cursor)
  if (line === null) return undefined
  const [, marker = "", title = ""] = line.match
  return { type: "tab", startsGroup: marker.includes("!"), title: line.titleRange(title) }
}

export const mkDocs: Dialect = {
  names: ["mkdocs", "pymdown", "python-markdown"],
  containers: [
    {
      starts: "!?",
      indent,
      startAt: hintAt,
      opening: /(?:!!!|\?\?\?\+?)[ \t]?[A-Za-z]/y,
      titledHead: /^!{3}[^"\n]*[^"\s]/
    },
    {
      starts: "=",
      indent,
      startAt: tabAt,
      tabLine: {
        marker: /===(?:!|\+|!\+|\+!)?(?=[ \t]+")/y,
        newMarker: "===",
        print: (marker, title) => `${marker} "${title}"`
      }
    }
  ],
  attributeLists: { afterText: listPattern(brace, certainItem), afterLink: listPattern(brace, anyItem) },
  headingBraces: [headingListWithId(brace), headingList(brace, String.raw`(?:\.[A-Za-z_-][\w-]*)+`)]
}
