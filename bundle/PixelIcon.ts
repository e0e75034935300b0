/**
 * Converts an icon from text to a PNG. The first line has two colours. Each further line is a row of a square image, in
 * which `#` is the second colour.
 */
import { crc32, deflateSync } from "node:zlib"

/** Width and height of the image, in pixels. */
const size = 96

const chunk = (type: string, data: Uint8Array): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

export const pixelIcon = (text: string): Buffer => {
  const [colorLine = "", ...picture] = text.trim().split("\n")
  const palette = colorLine.split(" ").map((color) => Buffer.from(color.slice(1), "hex"))
  const scale = size / picture.length
  const rows = Array.from({ length: size }, (_, y) => {
    // Each row starts with its filter type, 0 for no filter.
    const row = Buffer.alloc(size + 1)
    for (let x = 0; x < size; x++) row[x + 1] = picture[Math.floor(y / scale)]?.[Math.floor(x / scale)] === "#" ? 1 : 0
    return row
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // Bit depth 8, colour type 3: each byte is an index of the palette.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.concat(palette)),
    chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk("IEND", new Uint8Array())
  ])
}
