/**
 * Jekyll: attribute lists of kramdown, `{: .class #id }`. A class such as `note`, `alert-note` or `note-title` of a
 * theme makes the block a hint.
 */
import { anyItem, headingAttribute, headingList, headingListWithId, listPattern } from "./AttributePatterns.ts"
import type { Dialect } from "./Dialect.ts"
import { commonStyles } from "./HintStyles.ts"

const opening = String.raw`\{:`
const list = listPattern(opening, anyItem)
const styleClass = /^(?:alert-)?([a-z]+)(-title)?$/

export const jekyll: Dialect = {
  names: ["jekyll", "kramdown"],
  attributeLists: {
    line: list,
    afterText: list,
    afterLink: list,
    hintOfClass: (name) => {
      const [, styleName = "", title] = styleClass.exec(name) ?? []
      const style = commonStyles.get(styleName)
      return style === undefined ? undefined : { style, hasTitle: title !== undefined }
    }
  },
  headingBraces: [headingListWithId(opening), headingList(opening, headingAttribute)],
  frontMatter: { position: "nav_order" }
}
