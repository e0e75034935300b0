/** Lays out ordered lists, unordered lists and task lists, each item with its marker. */
import type { Block } from "@lectern/document/Document"
import { startsFromRight } from "./Bidi.ts"
import type { Element } from "./Element.ts"
import { type Frame, narrowerFrame } from "./Frame.ts"
import { colors } from "./PageStyle.ts"
import type { Sheet } from "./Sheet.ts"
import { gap, marked, type Strip, indented } from "./Strip.ts"
import { baselineOf, lineHeightOf } from "./Typesetter.ts"

export function* list(node: Block, outer: Frame): Generator<Strip> {
  const items = (node.nodes ?? []).filter((item) => item.object === "block")
  const start = Number.isSafeInteger(node.data?.start) ? (node.data!.start as number) : 1
  const lastNumber = `${start + items.length - 1}.`
  const numberWidth = node.type === "list-ordered" ? outer.sheet.typesetter.widthOf(lastNumber, outer.style) + 6 : 0
  const { frame, by } = narrowerFrame(outer, Math.max(16, numberWidth))
  const isMirrored = startsFromRight(node)
  const numbering = node.type === "list-ordered" ? "Decimal" : "Disc"
  const element = outer.element.add("L", { numbering })
  let isFirst = true
  for (const [i, item] of items.entries()) {
    if (!isFirst) yield gap(node.data?.loose === true ? 6 : 2.5)
    isFirst = false
    const isTight = node.data?.loose !== true && item.data?.loose !== true
    const entry = element.add("LI")
    const marker = markerOf(node, item, `${start + i}.`, outer, entry)
    const bodyFrame = { ...frame, element: entry.add("LBody"), tight: isTight }
    const inner = [...outer.blocks(item.nodes ?? [], bodyFrame)]
    const strips = inner.length === 0 ? [{ height: lineHeightOf(frame.style) }] : inner
    yield* marked(indented(strips, isMirrored ? 0 : by), (x, y) =>
      marker.draw(isMirrored ? x + outer.width - by + 6 : x + by - 6 - marker.width, y)
    )
  }
}

interface ListMarker {
  readonly width: number
  readonly draw: (x: number, y: number) => void
}

/** Returns the marker of a list item, which stands 6 points before the item's text. */
const markerOf = (
  { type }: Block,
  item: Block,
  number: string,
  { sheet, style }: Frame,
  entry: Element
): ListMarker => {
  const { doc, structure, typesetter } = sheet
  const centerY = lineHeightOf(style) / 2
  if (type === "list-ordered") {
    const baseline = baselineOf(lineHeightOf(style), style.size)
    const label = entry.add("Lbl")
    return {
      width: typesetter.widthOf(number, style),
      draw: (x, y) => structure.drawInside(label, () => typesetter.drawText(number, x, y + baseline, style))
    }
  }
  if (typeof item.data?.checked === "boolean") {
    const isDone = item.data.checked
    const label = entry.add("Lbl", { actual: isDone ? "☑" : "☐" })
    return { width: 7.5, draw: (x, y) => structure.drawInside(label, () => drawBox(doc, isDone, x, y + centerY - 3.5)) }
  }
  return { width: 5, draw: (x, y) => void doc.circle(x + 2.5, y + centerY, 1.7).fill(style.color) }
}

const drawBox = (doc: Sheet["doc"], isDone: boolean, x: number, top: number): void => {
  doc.lineWidth(0.8).roundedRect(x, top, 7.5, 7.5, 1.2)
  if (isDone) doc.fillAndStroke(colors.link, colors.link)
  else doc.stroke(colors.muted)
  if (!isDone) return
  doc
    .moveTo(x + 1.6, top + 4)
    .lineTo(x + 3.2, top + 5.7)
    .lineTo(x + 6, top + 2)
    .lineWidth(1.1)
    .stroke("#ffffff")
}
