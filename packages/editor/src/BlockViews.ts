/**
 * Views of blocks and inlines that have no text of their own: pictures, embeds, references and opaque blocks. Each is
 * an element with a label, made without scripts or styles of the document. A caption is edited in place.
 */
import type { ContentRef } from "@lectern/document/Document"
import { isRef } from "@lectern/document/DocumentRefs"
import { emojiCharacters } from "@lectern/document/EmojiCode"
import { blockTypes } from "@lectern/document/vocabulary/BlockTypes"
import { inlineTypes } from "@lectern/document/vocabulary/InlineTypes"
import type { Node } from "prosemirror-model"
import type { NodeView, NodeViewConstructor } from "prosemirror-view"
import { codeView } from "./code/CodeViews.ts"
import { element } from "./menu/Popup.ts"
import { inlineName, schema } from "./EditorSchema.ts"
import { equals } from "./Equality.ts"
import { tableValueView } from "./table/TableValueView.ts"
import { pictureSize } from "./width/Widths.ts"

export interface ViewOptions {
  /** URL of a picture, for `src`. Default: URLs with http or https only. */
  readonly pictureUrl?: (ref: ContentRef) => string | undefined
  /** Name of a type of blocks, for readers. */
  readonly nameOf: (type: string) => string
}

export const blockViews = (options: ViewOptions): { readonly [name: string]: NodeViewConstructor } => {
  const voids = Object.values(schema.nodes).filter(
    ({ name, isAtom, isText }) => isAtom && !isText && name !== "divider" && (name in blockTypes || name === "opaque")
  )
  const voidInlines = Object.entries(inlineTypes).flatMap(([type, { contentKind }]) =>
    contentKind === "void" ? [type] : []
  )
  const withCaption = ["image", "embed", "file", "content-ref"]
  return {
    ...Object.fromEntries([...voids.map(({ name }) => name), ...withCaption].map((name) => [name, card(options)])),
    ...Object.fromEntries([...voidInlines.map(inlineName), "opaque-inline"].map((name) => [name, inline(options)])),
    code: codeView(options),
    "list-item": listItem,
    table_value: tableValueView
  }
}

const urlOf = (ref: ContentRef): string | undefined =>
  ref.kind === "url" && typeof ref["url"] === "string" && /^https?:\/\//i.test(ref["url"]) ? ref["url"] : undefined

const picture = ({ attrs }: Node, { pictureUrl = urlOf }: ViewOptions): HTMLElement | undefined => {
  const ref: unknown = attrs["data"]?.ref
  const url = isRef(ref) ? pictureUrl(ref) : undefined
  if (url === undefined) return undefined
  const image = document.createElement("img")
  image.src = url
  image.alt = String(attrs["data"].alt ?? "")
  image.draggable = false
  return image
}

/** Displays the size of a picture as sites do: pixels are those of the picture, and a percentage is one of the line. */
const showWidth = (figure: HTMLElement, image: HTMLElement, { attrs }: Node): void => {
  const width = pictureSize(attrs["data"]?.width)
  const height = width === undefined ? pictureSize(attrs["data"]?.height) : undefined
  figure.style.inlineSize = width?.unit === "%" ? `${width.value}%` : ""
  image.style.inlineSize = width?.unit === "px" ? `${width.value}px` : ""
  image.style.blockSize = height?.unit === "px" ? `${height.value}px` : ""
}

const withoutSize = ({ attrs }: Node): unknown => {
  const { width: _, height: __, ...others } = attrs["data"] ?? {}
  return others
}

const maxLabel = 200

const labelOf = ({ attrs }: Node): string => {
  const data = attrs["data"] ?? attrs["block"]?.data ?? attrs["inline"]?.data ?? {}
  const value =
    data.title ?? data.alt ?? data.url ?? data.label ?? data.formula ?? data.expression ?? data.markdown ?? data.html
  const target = isRef(data.ref) ? (data.ref["url"] ?? data.ref["page"] ?? data.ref["file"]) : undefined
  const text = value ?? target ?? ""
  return (typeof text === "string" ? text : JSON.stringify(text ?? "")).slice(0, maxLabel)
}

/** Replaces the TeX of a formula by the formula, when the library is loaded. Invalid TeX stays. */
const showFormula = (target: HTMLElement, { attrs }: Node, isBlock: boolean): void => {
  const formula: unknown = attrs["data"]?.formula
  if (typeof formula !== "string" || formula.trim() === "") return
  import("./Formulas.ts").then(
    ({ renderFormula }) => renderFormula(target, formula, isBlock),
    () => undefined
  )
}

const card =
  (options: ViewOptions): NodeViewConstructor =>
  (node): NodeView => {
    const type = node.attrs["block"]?.type ?? node.type.name
    const dom = element("figure", "lectern-card")
    dom.dataset["block"] = type
    const face = element("div", "lectern-card-face")
    face.contentEditable = "false"
    const image = type === "image" ? picture(node, options) : undefined
    if (image === undefined) {
      face.append(element("span", "lectern-card-type", options.nameOf(type)))
      const label = element("span", "lectern-card-label", labelOf(node))
      face.append(label)
      if (type === "math") showFormula(label, node, true)
    } else {
      showWidth(dom, image, node)
      face.append(image)
    }
    dom.append(face)
    if (node.type.isLeaf) return { dom }
    const contentDOM = element("figcaption", "lectern-caption")
    dom.append(contentDOM)
    return {
      dom,
      contentDOM,
      update: (next) => {
        if (next.type !== node.type || !equals(withoutSize(next), withoutSize(node))) return false
        if (image !== undefined) showWidth(dom, image, next)
        return image !== undefined || next.attrs["data"] === node.attrs["data"]
      }
    }
  }

const inline =
  (options: ViewOptions): NodeViewConstructor =>
  (node): NodeView => {
    const name = node.type.name
    if (name === inlineName("hard-break")) return { dom: document.createElement("br") }
    const dom = element("span", "lectern-inline")
    dom.dataset["inline"] = name === "opaque-inline" ? "opaque" : name.slice(inlineName("").length)
    const image = name === inlineName("inline-image") ? picture(node, options) : undefined
    if (image !== undefined) dom.append(image)
    else if (name === inlineName("emoji")) dom.textContent = emojiCharacters(String(node.attrs["data"]?.code ?? ""))
    else dom.textContent = labelOf(node) || (node.attrs["inline"]?.type ?? dom.dataset["inline"])
    if (name === inlineName("inline-math")) showFormula(dom, node, false)
    return { dom }
  }

/** An item of a list, with the box of a task. */
const listItem: NodeViewConstructor = (node, view, position): NodeView => {
  const dom = document.createElement("li")
  const checked: unknown = node.attrs["data"]?.checked
  const contentDOM = element("div", "lectern-item")
  if (checked !== undefined) {
    const box = document.createElement("input")
    box.type = "checkbox"
    box.checked = checked === true
    box.disabled = !view.editable
    box.contentEditable = "false"
    box.addEventListener("change", () => {
      const at = position()
      if (at === undefined) return
      const data = view.state.doc.nodeAt(at)?.attrs["data"]
      view.dispatch(view.state.tr.setNodeAttribute(at, "data", { ...data, checked: box.checked }))
    })
    dom.append(box)
  }
  dom.append(contentDOM)
  return {
    dom,
    contentDOM,
    update: (next) => next.type === node.type && next.attrs["data"]?.checked === checked,
    stopEvent: (event) => event.target instanceof HTMLInputElement,
    ignoreMutation: (mutation) => mutation.type !== "selection" && !contentDOM.contains(mutation.target)
  }
}
