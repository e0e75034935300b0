/**
 * Docusaurus: hints between a line `:::note` and a line `:::`, ids of headings in MDX comments, and the components of
 * its theme. An optional title follows the name of a hint, with or without brackets. A line with an unknown name is text.
 * A nested hint has fewer colons than the outer hint, or is closed first.
 */
import { isSpace } from "../syntax/Characters.ts"
import type { LineCursor } from "../syntax/LineCursor.ts"
import type { Dialect, HintStart } from "./Dialect.ts"
import { elementForms } from "./ElementForms.ts"
import { commonStyles } from "./HintStyles.ts"

const openingLine = /(:{3,})[ \t]*([a-z]+)/y

const startAt = ({ text, next, end }: LineCursor): HintStart | undefined => {
  openingLine.lastIndex = next
  const [, colons = "", name = ""] = openingLine.exec(text) ?? []
  const style = commonStyles.get(name)
  if (style === undefined) return undefined
  let from = openingLine.lastIndex
  let to = end
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--
  const hint = { type: "hint", style, fenceLength: colons.length, title: undefined } as const
  if (from >= to) return hint
  const hasSpace = isSpace(text.charCodeAt(from))
  while (isSpace(text.charCodeAt(from))) from++
  if (text[from] === "[" && text[to - 1] === "]" && to - from > 2) return { ...hint, title: [from + 1, to - 1] }
  return hasSpace && text[from] !== "[" && text[from] !== "{" ? { ...hint, title: [from, to] } : undefined
}

export const docusaurus: Dialect = {
  names: ["docusaurus"],
  containers: [
    {
      starts: ":",
      indent: 0,
      startAt,
      opening: new RegExp(`:{3,}[ \\t]*(?:${[...commonStyles.keys()].join("|")})(?![a-z])`, "y"),
      titledHead: /^:{3,}[ \t]*[a-z]+/
    }
  ],
  headingBraces: [String.raw`\{/\*[ \t]*#?([^\s{}#*/"<>\\]{1,200})[ \t]*\*/\}`],
  frontMatter: { position: "sidebar_position", label: "sidebar_label", hidden: "unlisted", draft: "draft" },
  components: elementForms({
    hint: "Admonition",
    tabs: "Tabs",
    tab: "TabItem",
    details: "Details",
    image: "ThemedImage IdealImage",
    hidden: "Head BrowserOnly.Fallback DocCardList TOCInline",
    group: "BrowserOnly",
    link: "Link",
    code: "CodeBlock"
  })
}
