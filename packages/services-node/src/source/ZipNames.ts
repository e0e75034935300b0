/**
 * Decodes the names of an archive's entries. A name is UTF-8 if the entry's flag or its Unicode Path field (0x7075)
 * states so. Valid UTF-8 bytes also count, since macOS writes UTF-8 without the flag. All other names share one
 * encoding, which is detected from all of them together. Names are decoded before separators are searched, since a
 * trailing byte of a character may equal a backslash.
 */
import { crc32 } from "node:zlib"
import { validateFileName } from "yauzl"
import { detect } from "./NameEncodings.ts"

/** Fields of an entry that determine its name. */
interface NamedEntry {
  readonly generalPurposeBitFlag: number
  readonly extraFields: ReadonlyArray<{ readonly id: number; readonly data: Buffer }>
  readonly fileNameRaw: Buffer
}

const isUtf8Flag = 0x800
const unicodePath = 0x7075

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const lossy = new TextDecoder("utf-8", { ignoreBOM: true })

/** Returns the paths of the entries, separated by `/`, in Unicode NFC. */
export const read = (entries: ReadonlyArray<NamedEntry>): ReadonlyArray<string> => {
  const utf8Names = entries.map((entry) => utf8Of(entry))
  const otherNames = entries.flatMap(({ fileNameRaw }, i) => (utf8Names[i] === undefined ? [fileNameRaw] : []))
  const texts = otherNames.map((bytes) => asUtf8(bytes))
  const isUtf8 = texts.every((text) => text !== undefined)
  const decode = isUtf8
    ? (bytes: Uint8Array) => lossy.decode(bytes)
    : detect(otherNames.filter((bytes) => !isAscii(bytes)))
  return entries.map(({ fileNameRaw }, i) => {
    const name = utf8Names[i] ?? decode(fileNameRaw)
    return name.replaceAll("\\", "/").normalize("NFC")
  })
}

/** True if a path stays inside the archive. */
export const isWithin = (path: string): boolean => validateFileName(path) === null

/** Returns the name that the entry declares as UTF-8. Undefined if the entry declares none. */
const utf8Of = ({ extraFields, fileNameRaw, generalPurposeBitFlag }: NamedEntry): string | undefined => {
  for (const { data, id } of extraFields) {
    // Field layout: version 1, checksum of the replaced name, name.
    if (id !== unicodePath || data.length < 6 || data[0] !== 1) continue
    if (data.readUInt32LE(1) === crc32(fileNameRaw)) return lossy.decode(data.subarray(5))
  }
  // Some programs set the flag for any encoding, so the bytes are validated.
  return (generalPurposeBitFlag & isUtf8Flag) === 0 ? undefined : asUtf8(fileNameRaw)
}

const asUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80)
