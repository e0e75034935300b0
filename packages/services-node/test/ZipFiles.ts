/** ZIP archives for tests: with any name, wrong sizes, links, and Word documents. */
import { crc32, deflateRawSync } from "node:zlib"

export interface ZipEntry {
  readonly path: string
  readonly bytes: string | Uint8Array
  /** Unix mode: `0o120777` is a symbolic link. */
  readonly mode?: number
  /** Uncompressed size in the header. Default: the actual size. */
  readonly claims?: number
  readonly isEncrypted?: boolean
  /** Bytes of the name, used instead of the path, without the UTF-8 flag. */
  readonly name?: Uint8Array
  /** Data of the Unicode Path field. */
  readonly unicodePath?: Uint8Array
}

export const zip = (entries: ReadonlyArray<ZipEntry>): Uint8Array => {
  const parts: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name ?? new TextEncoder().encode(entry.path))
    const extra = extraOf(entry)
    const bytes = Buffer.from(entry.bytes as Uint8Array)
    const packed = deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE((entry.name === undefined ? 0x800 : 0) | (entry.isEncrypted === true ? 1 : 0), 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(0x5a21_0000, 6)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(entry.claims ?? bytes.length, 18)
    fields.writeUInt16LE(name.length, 22)
    fields.writeUInt16LE(extra.length, 24)
    const local = Buffer.concat([signature(0x04034b50), fields, name, extra, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    const madeBy = Buffer.from([20, 3])
    directory.push(Buffer.concat([signature(0x02014b50), madeBy, fields, rest, name, extra]))
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return new Uint8Array(Buffer.concat([...parts, central, signature(0x06054b50), end]))
}

/** Returns an archive whose ZIP64 records claim a number of entries. */
export const claiming = (archive: Uint8Array, entries: number): Uint8Array => {
  const end = archive.length - 22
  const record = Buffer.alloc(52)
  record.writeUInt32LE(44, 0)
  record.writeUInt32LE(entries, 20)
  record.writeUInt32LE(entries, 28)
  const view = Buffer.from(archive)
  view.copy(record, 36, end + 12, end + 16)
  view.copy(record, 44, end + 16, end + 20)
  const locator = Buffer.alloc(16)
  locator.writeUInt32LE(end, 4)
  return new Uint8Array(
    Buffer.concat([
      view.subarray(0, end),
      signature(0x06064b50),
      record,
      signature(0x07064b50),
      locator,
      view.subarray(end)
    ])
  )
}

const extraOf = ({ unicodePath }: ZipEntry): Buffer => {
  if (unicodePath === undefined) return Buffer.alloc(0)
  const head = Buffer.alloc(4)
  head.writeUInt16LE(0x7075, 0)
  head.writeUInt16LE(unicodePath.length, 2)
  return Buffer.concat([head, unicodePath])
}

const signature = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** An image of one pixel. */
export const png = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64"
  )
)

const types = `<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
</Types>`

const relations = (rows: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows}</Relationships>`

const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

const paragraph = (text: string, style?: string) =>
  `<w:p>${style === undefined ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`

const drawing = `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="Dot" descr="A dot"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`

const table = `<w:tbl><w:tr><w:tc>${paragraph("Name")}</w:tc><w:tc>${paragraph("Use")}</w:tc></w:tr><w:tr><w:tc>${paragraph("a | b")}</w:tc><w:tc>${paragraph("{% hint %}")}</w:tc></w:tr></w:tbl>`

/** Returns a Word document with a body and styles. Default: no styles. */
export const docxOf = (body: string, styles = ""): Uint8Array =>
  zip([
    { path: "[Content_Types].xml", bytes: types },
    {
      path: "_rels/.rels",
      bytes: relations(`<Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/>`)
    },
    {
      path: "word/document.xml",
      bytes: `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`
    },
    {
      path: "word/styles.xml",
      bytes: `<?xml version="1.0" encoding="UTF-8"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${styles}</w:styles>`
    }
  ])

/** Returns a Word document with headings, emphasis, links, a table and an image. */
export const docx = (title: string): Uint8Array =>
  zip([
    { path: "[Content_Types].xml", bytes: types },
    {
      path: "_rels/.rels",
      bytes: relations(`<Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/>`)
    },
    {
      path: "word/_rels/document.xml.rels",
      bytes: relations(
        `<Relationship Id="rId1" Type="${office}/image" Target="media/image1.png"/><Relationship Id="rId2" Type="${office}/hyperlink" Target="https://example.com/" TargetMode="External"/><Relationship Id="rId3" Type="${office}/hyperlink" Target="javascript:alert(1)" TargetMode="External"/>`
      )
    },
    {
      path: "word/document.xml",
      bytes: `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${office}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>
${paragraph(title, "Heading1")}${paragraph("Read this first.")}
<w:p><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">Bold</w:t></w:r><w:hyperlink r:id="rId2"><w:r><w:t xml:space="preserve"> elsewhere</w:t></w:r></w:hyperlink><w:hyperlink r:id="rId3"><w:r><w:t xml:space="preserve"> trap</w:t></w:r></w:hyperlink></w:p>
${paragraph("Next", "Heading2")}${table}${drawing}</w:body></w:document>`
    },
    { path: "word/styles.xml", bytes: stylesOf(["Heading1", "heading 1"], ["Heading2", "heading 2"]) },
    { path: "word/media/image1.png", bytes: png }
  ])

function stylesOf(...styles: ReadonlyArray<readonly [id: string, name: string]>): string {
  const rows = styles.map(
    ([id, name]) => `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`
  )
  return `<?xml version="1.0" encoding="UTF-8"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${rows.join("")}</w:styles>`
}
