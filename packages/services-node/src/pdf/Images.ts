/** Pictures on lines of their own: as large as they are, or as there is room for. */
import type { Block } from "@lectern/core/content/Document"
import { type Frame, paragraph } from "./Frame.ts"
import { imageNote, linked, refOf } from "./Inlines.ts"
import { colours, contentHeight } from "./Look.ts"
import { caption } from "./Panels.ts"
import { nameOf, outward } from "./Sheet.ts"
import { gap, type Strip } from "./Strip.ts"

/** Points of a pixel: at 96 to the inch. */
const point = 0.75
const maxHeight = contentHeight * 0.8

export function* images(node: Block, frame: Frame): Generator<Strip> {
  const pictures = node.type === "images" ? (node.nodes ?? []).filter((child) => child.object === "block") : [node]
  for (const [i, picture] of pictures.entries()) {
    if (i > 0) yield gap(6)
    yield* image(picture, frame)
  }
}

function* image(node: Block, frame: Frame): Generator<Strip> {
  const { sheet, style, width } = frame
  const { data } = node
  const ref = refOf(data)
  const file = ref?.kind === "file" ? sheet.files.get(ref.file) : undefined
  const below = [
    ...caption(
      (node.fragments ?? []).flatMap((fragment) => fragment.nodes),
      frame
    )
  ]
  if (file?.image === undefined) {
    const alt = typeof data?.alt === "string" ? data.alt : ""
    const link = ref?.kind === "url" ? outward(ref.url) : undefined
    const name = ref === undefined ? "" : nameOf(ref, sheet)
    const note = { ...linked({ ...style, colour: colours.muted }, link), italic: true }
    yield* paragraph([{ text: imageNote(alt, name, file?.problem), style: note }], frame)
  } else {
    const picture = file.image
    const wanted = typeof data?.width === "number" && data.width > 0 ? data.width : picture.width
    const scale = Math.min((wanted / picture.width) * point, width / picture.width, maxHeight / picture.height)
    const size = { width: picture.width * scale, height: picture.height * scale }
    yield {
      height: size.height,
      draw: (x, y) => void sheet.doc.image(picture as never, x, y, size),
      ...(below.length > 0 && { keep: true as const })
    }
  }
  if (below.length > 0) yield { ...gap(3), keep: true }
  yield* below
}
