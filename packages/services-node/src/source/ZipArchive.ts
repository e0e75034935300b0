/**
 * Reads archives without trusting them: names that lead out of the archive refuse it, links and
 * what is encrypted are left out, and what unpacks to more than it says, or than is read, ends it.
 *
 * Limits: 5,000 entries, 20 MiB for a file, 100 MiB for all of them, 200 times the packed size.
 */
import { maxFileBytes, maxPathLength } from "@lectern/core/content/import/Folder"
import { type ReadArchive, type ReadFile, SourceUnreadable } from "@lectern/core/content/import/SourceReader"
import { type Entry, fromBuffer, type ZipFile } from "yauzl"

const maxEntries = 5000
const maxBytes = 100 * 1024 * 1024
const maxRatio = 200
/** Small archives of text may well be packed tighter. */
const ratioFrom = 10 * 1024 * 1024

const unreadable = (message: string) => new SourceUnreadable({ message })

const isLink = ({ externalFileAttributes }: Entry) => ((externalFileAttributes >>> 16) & 0o170000) === 0o120000

/** Tells whether a path of an archive is one that systems add for themselves. */
const isClutter = (path: string) => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/.test(path)

export const read = async (bytes: Uint8Array): Promise<ReadArchive> => {
  const zip = await open(bytes)
  if (zip.entryCount > maxEntries) {
    throw unreadable(`The archive has ${zip.entryCount} entries: at most ${maxEntries} are read`)
  }
  const files: Array<ReadFile> = []
  const problems: Array<ReadArchive["problems"][number]> = []
  const known = new Set<string>()
  let left = Math.min(maxBytes, Math.max(ratioFrom, bytes.length * maxRatio))
  for await (const entry of entries(zip)) {
    const path = entry.fileName
    if (path.endsWith("/") || isClutter(path)) continue
    const objection = objectionTo(entry, known)
    if (objection !== undefined) {
      problems.push({ path: path.slice(0, maxPathLength), message: objection })
      continue
    }
    known.add(path)
    if (entry.uncompressedSize > left) {
      throw unreadable(
        left < maxBytes && bytes.length * maxRatio < maxBytes
          ? `The archive unpacks to more than ${maxRatio} times its size`
          : `The archive unpacks to more than ${maxBytes / 1024 / 1024} MiB`
      )
    }
    left -= entry.uncompressedSize
    files.push({ path, bytes: await content(zip, entry) })
  }
  return { files, problems }
}

const objectionTo = (entry: Entry, known: ReadonlySet<string>): string | undefined => {
  if (isLink(entry)) return "Links in archives are not followed"
  if (entry.isEncrypted()) return "It is encrypted"
  if (entry.fileName.length > maxPathLength) return "Its path is too long"
  if (entry.uncompressedSize > maxFileBytes) return `A file of more than ${maxFileBytes / 1024 / 1024} MiB is left out`
  return known.has(entry.fileName) ? "The archive has it twice" : undefined
}

const said = (error: unknown): SourceUnreadable => {
  const message = error instanceof Error ? error.message : ""
  if (/relative path|absolute path|invalid characters in fileName/i.test(message)) {
    return unreadable("The archive holds a path that leads out of it")
  }
  return unreadable(
    /end of central directory/i.test(message) ? "It is no ZIP archive" : "The archive is damaged and can't be unpacked"
  )
}

const open = (bytes: Uint8Array) =>
  new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      { lazyEntries: true, decodeStrings: true, validateEntrySizes: true, strictFileNames: false },
      (error, zip) => (error === null ? resolve(zip) : reject(said(error)))
    )
  )

async function* entries(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | undefined>((resolve, reject) => {
      const settle = (f: () => void) => {
        zip.removeAllListeners()
        f()
      }
      zip.on("entry", (next: Entry) => settle(() => resolve(next)))
      zip.on("end", () => settle(() => resolve(undefined)))
      zip.on("error", (error: Error) => settle(() => reject(said(error))))
      zip.readEntry()
    })
    if (entry === undefined) return
    yield entry
  }
}

const content = (zip: ZipFile, entry: Entry) =>
  new Promise<Uint8Array>((resolve, reject) =>
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null) return reject(said(error))
      const bytes = new Uint8Array(entry.uncompressedSize)
      let at = 0
      stream.on("data", (chunk: Buffer) => {
        // What is longer than it says ends the stream with an error of its own.
        if (at + chunk.length <= bytes.length) bytes.set(chunk, at)
        at += chunk.length
      })
      stream.on("error", (failure: Error) => reject(said(failure)))
      stream.on("end", () => resolve(bytes))
    })
  )
