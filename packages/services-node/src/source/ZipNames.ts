/**
 * The names of an archive's entries. UTF-8 is known by the entry's flag, by its Unicode Path field (0x7075), or since the
 * bytes are UTF-8, as macOS writes them. All other names have one encoding, which is detected by all of them together.
 * A name is decoded before its separators are looked for: the second byte of a character may be that of a backslash.
 */
import { crc32 } from "node:zlib"
import { type Entry, validateFileName } from "yauzl"
import { detect } from "./NameEncodings.ts"

type NamedEntry = Pick<Entry, "generalPurposeBitFlag" | "extraFields" | "fileNameRaw">

const isUtf8Flag = 0x800
const unicodePath = 0x7075

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const lossy = new TextDecoder("utf-8", { ignoreBOM: true })

/** Returns the paths of the entries, with `/` between names, in composed form. */
export const read = (entries: ReadonlyArray<NamedEntry>): ReadonlyArray<string> => {
  const known = entries.map((entry) => utf8Of(entry))
  const others = entries.flatMap(({ fileNameRaw }, i) => (known[i] === undefined ? [fileNameRaw] : []))
  const texts = others.map((bytes) => asUtf8(bytes))
  const isUtf8 = texts.every((text) => text !== undefined)
  const decode = isUtf8 ? (bytes: Uint8Array) => lossy.decode(bytes) : detect(others.filter((bytes) => !isAscii(bytes)))
  return entries.map(({ fileNameRaw }, i) => {
    const name = known[i] ?? decode(fileNameRaw)
    return name.replaceAll("\\", "/").normalize("NFC")
  })
}

/** True if a path leads to no place outside the archive. */
export const isWithin = (path: string): boolean => validateFileName(path) === null

/** Returns the name that the entry itself calls UTF-8. */
const utf8Of = ({ extraFields, fileNameRaw, generalPurposeBitFlag }: NamedEntry): string | undefined => {
  for (const { data, id } of extraFields) {
    // Version 1, a checksum of the name that it stands for, the name.
    if (id !== unicodePath || data.length < 6 || data[0] !== 1) continue
    if (data.readUInt32LE(1) === crc32(fileNameRaw)) return lossy.decode(data.subarray(5))
  }
  // Some programs set the flag for any name.
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
