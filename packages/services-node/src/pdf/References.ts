/** Lays out blocks that refer to other content, and blocks of unknown types. */
import type { Block, Node } from "@lectern/document/Document"
import { type Frame, narrowerFrame, paragraph } from "./Frame.ts"
import { isRef } from "@lectern/document/DocumentRefs"
import { inlines, linked, refOf } from "./Inlines.ts"
import { codeSize, colors, smallSize } from "./PageStyle.ts"
import { panel, titled } from "./Panels.ts"
import { nameOf, outward, targetOf } from "./Sheet.ts"
import type { Span } from "./Span.ts"
import { gap, padded, type Strip, type Strips, indented } from "./Strip.ts"

const text = (value: unknown): string => (typeof value === "string" ? value : "")

/** Lays out the name of the referenced content as a link, and the block's caption. */
export const reference = (node: Block, frame: Frame): Strips => {
  const { sheet, style } = frame
  const ref = refOf(node.data)
  const url = text(node.data?.["url"])
  const link = ref === undefined ? outward(url) : targetOf(ref, sheet)
  const name = ref === undefined ? url : nameOf(ref, sheet)
  return boxed([{ text: name, style: { ...linked(style, link), bold: true } }], node, frame)
}

/** Lays out a part of an API: the method and path, or the names of models, and the name of the specification. */
export const apiPart = (node: Block, frame: Frame): Strips => {
  const { data } = node
  const ref = refOf(data)
  const schemas = Array.isArray(data?.["schemas"]) ? data["schemas"].map(text).filter((name) => name !== "") : []
  const description = [
    text(data?.["method"]).toUpperCase(),
    text(data?.["path"]) || text(data?.["name"]),
    schemas.join(", ")
  ]
  const name = description.filter((part) => part !== "").join(" ")
  const targetName = ref === undefined ? "" : nameOf(ref, frame.sheet)
  const code = { ...frame.style, mono: true, bold: true, size: frame.style.size * 0.9 }
  const spans: Array<Span> = name === "" ? [] : [{ text: name, style: code }]
  if (targetName !== "") spans.push({ text: `  ${targetName}`, style: { ...frame.style, color: colors.muted } })
  return boxed(spans, node, frame)
}

const boxed = (name: ReadonlyArray<Span>, node: Block, frame: Frame): Strips => {
  const { sheet, style } = frame
  const inner = narrowerFrame(frame, 24)
  const descriptionNodes = (node.fragments ?? []).flatMap((fragment) => fragment.nodes)
  const caption = text(node.data?.["caption"])
  const smallStyle = { ...style, size: smallSize }
  const isDescribed = descriptionNodes.length > 0 || caption !== ""
  const strips = function* (): Generator<Strip> {
    for (const strip of paragraph(name, inner.frame)) yield isDescribed ? { ...strip, keep: true } : strip
    if (caption !== "") yield* paragraph([{ text: caption, style: smallStyle }], inner.frame)
    if (descriptionNodes.length > 0) yield* frame.blocks(descriptionNodes, { ...inner.frame, style: smallStyle })
  }
  return indented(indented(padded(strips(), 5), inner.by / 2), 0, (x, y, height) => {
    sheet.doc.rect(x, y, frame.width, height + 0.3).fill(colors.panel)
  })
}

/** Lays out an integration block: its name, and the text properties passed to the integration, with links. */
export const integration = (node: Block, frame: Frame): Strips => {
  const { data } = node
  const name = [text(data?.["integration"]), text(data?.["block"])].filter((part) => part !== "").join("/")
  const style = { ...frame.style, mono: true, size: codeSize }
  const props = data?.["props"]
  const description =
    typeof props === "object" && props !== null ? Object.values(props).flatMap((value) => text(value) || []) : []
  const url = text(data?.["url"])
  if (url !== "" && !description.includes(url)) description.push(url)
  const inner = narrowerFrame(frame, 10).frame
  const strips = function* (): Generator<Strip> {
    for (const [i, line] of description.entries()) {
      if (i > 0) yield gap(4)
      yield* paragraph([{ text: line, style: linked(style, outward(line)) }], { ...inner, style })
    }
    yield* frame.blocks(contentOf(node), inner)
  }
  return panel(titled(name, frame.style), strips(), frame)
}

const contentOf = ({ nodes = [], fragments = [] }: Block): ReadonlyArray<Node> => [
  ...nodes,
  ...fragments.flatMap((fragment) => fragment.nodes)
]

export function* unknown(node: Block, frame: Frame): Generator<Strip> {
  const { nodes = [], data } = node
  const inlineNodes = nodes.filter((child) => child.object !== "block")
  if (inlineNodes.length > 0) yield* paragraph(inlines(inlineNodes, frame.style, frame.sheet), frame)
  const description = ["title", "markdown", "formula", "url", "path", "method", "spec"].flatMap(
    (name) => text(data?.[name]) || []
  )
  const ref = data?.["ref"]
  if (isRef(ref)) description.push(nameOf(ref, frame.sheet))
  if (description.length > 0) {
    yield* paragraph([{ text: description.join(" "), style: { ...frame.style, color: colors.muted } }], frame)
  }
  yield* frame.blocks(contentOf(node), frame)
}
