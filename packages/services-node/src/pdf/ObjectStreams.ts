/**
 * Packs the small objects of a PDF (links, structure elements, outline entries) into compressed object streams, which
 * `pdfkit` does not support. These objects are numerous and similar.
 */
import { deflateSync } from "node:zlib"
import type PDFDocument from "pdfkit"

type Doc = InstanceType<typeof PDFDocument>

interface Ref {
  readonly id: number
  readonly buffer: ReadonlyArray<unknown>
  finalize: () => void
  readonly write: (bytes: Uint8Array) => void
  readonly end: () => void
}

/** Fields of `pdfkit` that its types leave out. */
interface DocumentInternals {
  readonly _offsets: ReadonlyArray<number>
  readonly _offset: number
  readonly _root: Ref
  readonly _info: Ref
  readonly _id: Uint8Array
  ref: (data: object) => Ref
  _write: (data: string | Uint8Array) => void
  _finalize: () => void
  readonly push: (end: null) => void
}

/** Number of objects per stream. A reader unpacks a whole stream to read one object. */
const inOneStream = 200

export const packObjects = (doc: Doc): void => {
  const internals = doc as unknown as DocumentInternals
  const make = internals.ref.bind(internals)
  /** Stream and index of each packed object, by object id. */
  const locations = new Map<number, readonly [stream: number, index: number]>()
  let packed: Array<{ readonly id: number; readonly text: string }> = []
  let isWriting = false
  let isComplete = false
  let isFinished = false

  const flush = () => {
    if (packed.length === 0) return
    const parts = packed
    packed = []
    let offset = 0
    const heads = parts.map(({ id, text }) => {
      const head = `${id} ${offset}`
      offset += text.length + 1
      return head
    })
    const head = `${heads.join(" ")}\n`
    const stream = make({ Type: "ObjStm", N: parts.length, First: head.length })
    for (const [index, { id }] of parts.entries()) locations.set(id, [stream.id, index])
    stream.write(Buffer.from(`${head}${parts.map(({ text }) => text).join("\n")}\n`, "latin1"))
    stream.end()
  }

  const finish = () => {
    // Writing the last stream calls `finish` again.
    if (isFinished) return
    isFinished = true
    flush()
    const id = internals._offsets.length + 1
    const start = internals._offset
    const entries = Buffer.alloc(7 * (id + 1))
    const enter = (index: number, type: number, place: number, lastField: number) => {
      entries.writeUInt8(type, 7 * index)
      entries.writeUInt32BE(place, 7 * index + 1)
      entries.writeUInt16BE(lastField, 7 * index + 5)
    }
    enter(0, 0, 0, 65_535)
    for (const [i, offset] of internals._offsets.entries()) {
      const location = locations.get(i + 1)
      if (location === undefined) enter(i + 1, 1, offset, 0)
      else enter(i + 1, 2, ...location)
    }
    enter(id, 1, start, 0)
    const bytes = deflateSync(entries)
    const name = `<${Buffer.from(internals._id).toString("hex")}>`
    internals._write(`${id} 0 obj`)
    internals._write(
      `<</Type /XRef /Size ${id + 1} /W [1 4 2] /Root ${internals._root} /Info ${internals._info} /ID [${name} ${name}] /Filter /FlateDecode /Length ${bytes.length}>>`
    )
    internals._write("stream")
    internals._write(bytes)
    internals._write("\nendstream")
    internals._write("endobj")
    internals._write(`startxref\n${start}\n%%EOF`)
    internals.push(null)
  }

  internals._finalize = () => {
    if (isWriting) isComplete = true
    else finish()
  }
  internals.ref = (data) => {
    const ref = make(data)
    const finalize = ref.finalize.bind(ref)
    ref.finalize = () => {
      if (ref.buffer.length > 0) return finalize()
      const chunks: Array<string | Uint8Array> = []
      const write = internals._write
      isWriting = true
      internals._write = (data) => void chunks.push(data)
      finalize()
      internals._write = write
      isWriting = false
      // The object's content, between the lines that start and end it.
      packed.push({ id: ref.id, text: String(chunks[1]) })
      if (packed.length === inOneStream) flush()
      if (isComplete) finish()
    }
    return ref
  }
}
