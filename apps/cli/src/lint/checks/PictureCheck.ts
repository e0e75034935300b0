/** Finds pictures without alternative text. */
import type { Html } from "@lectern/document/markdown/syntax/SyntaxTree"
import type { Check } from "../Check.ts"
import { visit } from "@lectern/document/lint/SyntaxVisit"

const message = "The picture has no alternative text"
const comment = /<!--[^]*?(?:-->|$)/g
const imageElement = /<img\b(?:"[^"]*"|'[^']*'|[^>"'])*>/gi

/** Attributes of an element that needs no alternative text. An empty `alt` marks a picture as decoration. */
const isNamed =
  /\s(?:alt|aria-label|aria-labelledby)\b|\saria-hidden\s*=\s*["']?true|\srole\s*=\s*["']?(?:presentation|none)/i

export const check: Check = ({ positionAt, root, text }, report) => {
  const reportAt = (offset: number) => report({ ...positionAt(offset), rule: "missing-alt-text", message })
  const checkHtml = ({ from, to }: Html) => {
    const source = text.slice(from, to).replace(comment, (one) => " ".repeat(one.length))
    for (const { 0: element, index } of source.matchAll(imageElement))
      if (!isNamed.test(element)) reportAt(from + index)
  }
  visit(root, {
    block: (block) => {
      if (block.type === "html") checkHtml(block)
    },
    inlines: (inlines) => {
      for (const inline of inlines) {
        if (inline.type === "html") checkHtml(inline)
        else if ((inline.type === "image" || inline.type === "imageReference") && inline.alt.trim() === "")
          reportAt(inline.from)
      }
    }
  })
}
