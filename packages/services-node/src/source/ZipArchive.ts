/**
 * Reads untrusted archives. An archive is refused if a name (see `ZipNames`) points outside of it. Links and encrypted
 * entries are left out. Reading fails if an entry unpacks to more than its stated size or than the limits.
 *
 * An archive is a file. Its list is read first, and each entry on request.
 *
 * Limits: 200,000 entries, 20 MiB for a file, 2 GiB for all files (100 MiB if all are held in memory), 200 times the
 * packed size.
 */
import { stat } from "node:fs/promises"
import { maxFileBytes, maxFolderBytes, maxPathLength } from "@lectern/exchange/import/Folder"
import { type SourceFile, SourceUnreadable } from "@lectern/exchange/import/SourceReader"
import { type Entry, fromBuffer, open as openFile, type Options, type ZipFile } from "yauzl"
import type { ListedArchive, ReadEntry } from "./SourceMessages.ts"
import * as ZipNames from "./ZipNames.ts"

const maxEntries = 200_000
const maxUnpackedBytes = 100 * 1024 * 1024
const maxRatio = 200
/** Unpacked size up to which the ratio is not limited, in bytes. Small text archives may be packed more tightly. */
const ratioFrom = 10 * 1024 * 1024

const readFailure = (message: string) => new SourceUnreadable({ message })

const isLink = ({ externalFileAttributes }: Entry) => ((externalFileAttributes >>> 16) & 0o170000) === 0o120000

/** True for files that operating systems add to archives. */
const isClutter = (path: string) => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/.test(path)

interface OpenArchive {
  readonly zip: ZipFile
  readonly entries: ReadonlyMap<string, Entry>
  readonly problems: ListedArchive["problems"]
}

/** Open archives by path. They close when the thread ends. */
const openArchives = new Map<string, Promise<OpenArchive>>()

const archiveAt = (archive: string): Promise<OpenArchive> => {
  const archivePromise = openArchives.get(archive) ?? fromFile(archive)
  openArchives.set(archive, archivePromise)
  return archivePromise
}

const fromFile = async (archive: string): Promise<OpenArchive> => {
  const { size } = await stat(archive)
  return read(await openZip((options, done) => openFile(archive, options, done)), size, maxFolderBytes)
}

export const list = async (archive: string): Promise<ListedArchive> => {
  const { entries, problems } = await archiveAt(archive)
  return { files: Array.from(entries, ([path, { uncompressedSize: size }]) => ({ path, size })), problems }
}

export const entry = async (archive: string, path: string): Promise<ReadEntry> => {
  const { zip, entries } = await archiveAt(archive)
  return { bytes: await content(zip, entries.get(path)!) }
}

/** Returns all files of an archive in memory. */
export const readAll = async (bytes: Uint8Array): Promise<ReadonlyArray<SourceFile>> => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { zip, entries } = await read(
    await openZip((options, done) => fromBuffer(buffer, options, done)),
    bytes.length,
    maxUnpackedBytes
  )
  const files: Array<SourceFile> = []
  for (const [path, entry] of entries) files.push({ path, bytes: await content(zip, entry) })
  return files
}

const read = async (zip: ZipFile, size: number, maxBytes: number): Promise<OpenArchive> => {
  if (zip.entryCount > maxEntries) {
    throw readFailure(`The archive has ${zip.entryCount} entries: at most ${maxEntries} are read`)
  }
  const files = new Map<string, Entry>()
  const problems: Array<ListedArchive["problems"][number]> = []
  let remaining = Math.min(maxBytes, Math.max(ratioFrom, size * maxRatio))
  const allEntries: Array<Entry> = []
  for await (const entry of entries(zip)) allEntries.push(entry)
  const paths = ZipNames.read(allEntries)
  for (const [i, entry] of allEntries.entries()) {
    const path = paths[i]!
    if (!ZipNames.isWithin(path)) throw readFailure("The archive holds a path that leads out of it")
    if (path.endsWith("/") || isClutter(path)) continue
    const objection = objectionTo(entry, path, files)
    if (objection !== undefined) {
      problems.push({ path: path.slice(0, maxPathLength), message: objection })
      continue
    }
    if (entry.uncompressedSize > remaining) {
      throw readFailure(
        size * maxRatio < maxBytes
          ? `The archive unpacks to more than ${maxRatio} times its size`
          : `The archive unpacks to more than ${maxBytes / 1024 / 1024} MiB`
      )
    }
    remaining -= entry.uncompressedSize
    files.set(path, entry)
  }
  return { zip, entries: files, problems }
}

const objectionTo = (entry: Entry, path: string, listedFiles: ReadonlyMap<string, Entry>): string | undefined => {
  if (isLink(entry)) return "Links in archives are not followed"
  if (entry.isEncrypted()) return "It is encrypted"
  if (path.length > maxPathLength) return "Its path is too long"
  if (entry.uncompressedSize > maxFileBytes) return `A file of more than ${maxFileBytes / 1024 / 1024} MiB is left out`
  return listedFiles.has(path) ? "The archive has it twice" : undefined
}

const unreadableFor = (error: unknown): SourceUnreadable => {
  const message = error instanceof Error ? error.message : ""
  return readFailure(
    /end of central directory/i.test(message) ? "It is no ZIP archive" : "The archive is damaged and can't be unpacked"
  )
}

type Opening = (options: Options, done: (error: Error | null, zip: ZipFile) => void) => void

const openZip = (opening: Opening) =>
  new Promise<ZipFile>((resolve, reject) =>
    opening({ lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true }, (error, zip) =>
      error === null ? resolve(zip) : reject(unreadableFor(error))
    )
  )

async function* entries(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | undefined>((resolve, reject) => {
      const finish = (f: () => void) => {
        zip.removeAllListeners()
        f()
      }
      zip.on("entry", (next: Entry) => finish(() => resolve(next)))
      zip.on("end", () => finish(() => resolve(undefined)))
      zip.on("error", (error: Error) => finish(() => reject(unreadableFor(error))))
      zip.readEntry()
    })
    if (entry === undefined) return
    yield entry
  }
}

const content = (zip: ZipFile, entry: Entry) =>
  new Promise<Uint8Array>((resolve, reject) =>
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null) return reject(unreadableFor(error))
      const bytes = new Uint8Array(entry.uncompressedSize)
      let offset = 0
      stream.on("data", (chunk: Buffer) => {
        // An entry that is longer than its stated size fails with an error of its stream.
        if (offset + chunk.length <= bytes.length) bytes.set(chunk, offset)
        offset += chunk.length
      })
      stream.on("error", (failure: Error) => reject(unreadableFor(failure)))
      stream.on("end", () => resolve(bytes))
    })
  )
