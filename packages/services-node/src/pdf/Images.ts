/**
 * Lays out images on lines of their own, in their natural size or as large as fits. Several images in one block stand
 * side by side.
 */
import type { Block } from "@lectern/document/Document"
import * as DocumentText from "@lectern/document/DocumentText"
import { combineColumns } from "./Columns.ts"
import { type Frame, paragraph } from "./Frame.ts"
import { imageNote, linked, refOf } from "./Inlines.ts"
import { colors, contentHeight, narrowest, paper } from "./PageStyle.ts"
import { caption } from "./Panels.ts"
import { nameOf, outward } from "./Sheet.ts"
import { pixel } from "./Span.ts"
import { gap, type Strip, indented } from "./Strip.ts"

const maxHeight = contentHeight * 0.8
const between = 10
/** Space between an image and its border, in points. */
const imageMargin = 6

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

type Align = "left" | "center" | "right"

const alignOf = (value: unknown): Align | undefined =>
  value === "center" || value === "middle" ? "center" : value === "right" || value === "end" ? "right" : undefined

export function* images(node: Block, frame: Frame): Generator<Strip> {
  const pictures = node.type === "images" ? (node.nodes ?? []).filter((child) => child.object === "block") : [node]
  const align = alignOf(node.data?.["align"])
  const hasFrame = node.data?.["withFrame"] === true
  const perRow = Math.max(1, Math.min(pictures.length, Math.floor((frame.width + between) / (narrowest + between))))
  const width = (frame.width - between * (perRow - 1)) / perRow
  for (let rowStart = 0; rowStart < pictures.length; rowStart += perRow) {
    if (rowStart > 0) yield gap(6)
    const row = pictures.slice(rowStart, rowStart + perRow)
    if (perRow === 1) yield* image(row[0]!, frame, align, hasFrame)
    else {
      yield combineColumns(
        row.map((picture, i) => ({
          x: i * (width + between),
          strips: [...image(picture, { ...frame, width }, align, hasFrame)]
        }))
      )
    }
  }
}

function* image(node: Block, frame: Frame, align: Align | undefined, hasFrame: boolean): Generator<Strip> {
  const { sheet, style, width } = frame
  const { data } = node
  const ref = refOf(data)
  const file = ref?.kind === "file" ? sheet.files.get(ref.file) : undefined
  const fragments = (node.fragments ?? []).flatMap((fragment) => fragment.nodes)
  const alt = textOf(data?.["alt"])
  const picture = file?.image
  const figure = frame.element.add(picture === undefined ? "Div" : "Figure")
  const captionStrips = [...caption(fragments, align === undefined ? frame : { ...frame, align })]
  if (picture === undefined) {
    const link = ref?.kind === "url" ? outward(ref.url) : undefined
    const name = ref === undefined ? "" : nameOf(ref, sheet)
    const noteStyle = { ...linked({ ...style, color: colors.muted }, link), italic: true }
    const text = imageNote(alt, name, sheet, file?.problem)
    yield* paragraph([{ text, style: noteStyle }], { ...frame, element: figure })
  } else {
    const margin = hasFrame ? imageMargin : 0
    const maxWidth = width - 2 * margin
    const scale = Math.min(
      wantedWidth(data?.["width"], picture.width, maxWidth) / picture.width,
      maxWidth / picture.width,
      maxHeight / picture.height
    )
    const size = { width: picture.width * scale, height: picture.height * scale }
    const altText = alt || fragments.map(DocumentText.plainText).join(" ").trim() || nameOf(ref!, sheet)
    const slack = width - size.width - 2 * margin
    const indent = align === "center" ? slack / 2 : align === "right" ? slack : 0
    const strip: Strip = {
      height: size.height + 2 * margin,
      draw: (x, y) => {
        if (hasFrame) {
          sheet.doc
            .roundedRect(x, y, size.width + 2 * margin, size.height + 2 * margin, 4)
            .lineWidth(0.7)
            .stroke(colors.faint)
        }
        const [imageX, imageY] = [x + margin, y + margin]
        const bottom = paper.height - imageY - size.height
        if (!sheet.structure.isRepeated) {
          figure.attributes = { alt: altText, box: [imageX, bottom, imageX + size.width, bottom + size.height] }
        }
        sheet.structure.drawInside(figure, () => void sheet.doc.image(picture.opened, imageX, imageY, size))
      },
      ...(captionStrips.length > 0 && { keep: true as const })
    }
    yield* indented([strip], indent)
  }
  if (captionStrips.length > 0) yield { ...gap(3), keep: true }
  yield* captionStrips
}

/**
 * Returns the width of an image in points. `value` is a number of pixels or a percentage of `maxWidth`. The default is the
 * natural width.
 */
const wantedWidth = (value: unknown, natural: number, maxWidth: number): number => {
  if (typeof value === "number" && value > 0) return value * pixel
  const percent = typeof value === "string" ? /^(\d{1,3})%$/.exec(value)?.[1] : undefined
  return percent === undefined ? natural * pixel : (maxWidth * Number(percent)) / 100
}
