/**
 * Document nodes for parts of a page that are converted before the rest of the tree: formulas, anchors, footnotes. The
 * tree refers to the nodes by elements (see `HtmlStream`).
 */
import type { Block, Inline, Node } from "@lectern/document/Document"
import { nodeElement } from "@lectern/document/html/HtmlStream"
import type { Element } from "hast"

export class PageNodes {
  readonly all: Array<Node> = []

  /** Adds a node and returns the element that stands for it. */
  add(node: Block | Inline): Element {
    const index = String(this.all.push(node) - 1)
    return { type: "element", tagName: nodeElement, properties: { index }, children: [] }
  }

  inline(type: string, data: NonNullable<Inline["data"]>): Element {
    return this.add({ object: "inline", type, data, isVoid: true })
  }

  formula(formula: string, isBlock: boolean): Element {
    return isBlock
      ? this.add({ object: "block", type: "math", key: "", data: { formula }, isVoid: true })
      : this.inline("inline-math", { formula })
  }
}
