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
import { maxFileBytes, maxFolderBytes, maxPathLength } from "@lectern/core/content/import/Folder"
import { type SourceFile, SourceUnreadable } from "@lectern/core/content/import/SourceReader"
import { type Entry, fromBuffer, open as openFile, type Options, type ZipFile } from "yauzl"
import type { ListedArchive, ReadEntry } from "./SourceMessages.ts"
import * as ZipNames from "./ZipNames.ts"

const maxEntries = 200_000
const maxUnpackedBytes = 100 * 1024 * 1024
const maxRatio = 200
/** Unpacked size up to which the ratio is not limited, in bytes. Small text archives may be packed more tightly. */
const ratioFrom = 10 * 1024 * 1024

const unreadable = (message: string) => new SourceUnreadable({ message })

const isLink = ({ externalFileAttributes }: Entry) => ((externalFileAttributes >>> 16) & 0o170000) === 0o120000

/** True for files that operating systems add to archives. */
const isClutter = (path: string) => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/.test(path)

interface OpenArchive {
  readonly zip: ZipFile
  readonly entries: ReadonlyMap<string, Entry>
  readonly problems: ListedArchive["problems"]
}

/** Open archives by path. They close when the thread ends. */
const opened = new Map<string, Promise<OpenArchive>>()

const at = (archive: string): Promise<OpenArchive> => {
  const known = opened.get(archive) ?? fromFile(archive)
  opened.set(archive, known)
  return known
}

const fromFile = async (archive: string): Promise<OpenArchive> => {
  const { size } = await stat(archive)
  return read(await open((options, done) => openFile(archive, options, done)), size, maxFolderBytes)
}

export const list = async (archive: string): Promise<ListedArchive> => {
  const { entries, problems } = await at(archive)
  return { files: Array.from(entries, ([path, { uncompressedSize: size }]) => ({ path, size })), problems }
}

export const entry = async (archive: string, path: string): Promise<ReadEntry> => {
  const { zip, entries } = await at(archive)
  return { bytes: await content(zip, entries.get(path)!) }
}

/** Returns all files of an archive in memory. */
export const readAll = async (bytes: Uint8Array): Promise<ReadonlyArray<SourceFile>> => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { zip, entries } = await read(
    await open((options, done) => fromBuffer(buffer, options, done)),
    bytes.length,
    maxUnpackedBytes
  )
  const files: Array<SourceFile> = []
  for (const [path, entry] of entries) files.push({ path, bytes: await content(zip, entry) })
  return files
}

const read = async (zip: ZipFile, size: number, maxBytes: number): Promise<OpenArchive> => {
  if (zip.entryCount > maxEntries) {
    throw unreadable(`The archive has ${zip.entryCount} entries: at most ${maxEntries} are read`)
  }
  const files = new Map<string, Entry>()
  const problems: Array<ListedArchive["problems"][number]> = []
  let left = Math.min(maxBytes, Math.max(ratioFrom, size * maxRatio))
  const listed: Array<Entry> = []
  for await (const entry of entries(zip)) listed.push(entry)
  const paths = ZipNames.read(listed)
  for (const [i, entry] of listed.entries()) {
    const path = paths[i]!
    if (!ZipNames.isWithin(path)) throw unreadable("The archive holds a path that leads out of it")
    if (path.endsWith("/") || isClutter(path)) continue
    const objection = objectionTo(entry, path, files)
    if (objection !== undefined) {
      problems.push({ path: path.slice(0, maxPathLength), message: objection })
      continue
    }
    if (entry.uncompressedSize > left) {
      throw unreadable(
        size * maxRatio < maxBytes
          ? `The archive unpacks to more than ${maxRatio} times its size`
          : `The archive unpacks to more than ${maxBytes / 1024 / 1024} MiB`
      )
    }
    left -= entry.uncompressedSize
    files.set(path, entry)
  }
  return { zip, entries: files, problems }
}

const objectionTo = (entry: Entry, path: string, known: ReadonlyMap<string, Entry>): string | undefined => {
  if (isLink(entry)) return "Links in archives are not followed"
  if (entry.isEncrypted()) return "It is encrypted"
  if (path.length > maxPathLength) return "Its path is too long"
  if (entry.uncompressedSize > maxFileBytes) return `A file of more than ${maxFileBytes / 1024 / 1024} MiB is left out`
  return known.has(path) ? "The archive has it twice" : undefined
}

const unreadableFor = (error: unknown): SourceUnreadable => {
  const message = error instanceof Error ? error.message : ""
  return unreadable(
    /end of central directory/i.test(message) ? "It is no ZIP archive" : "The archive is damaged and can't be unpacked"
  )
}

type Opening = (options: Options, done: (error: Error | null, zip: ZipFile) => void) => void

const open = (opening: Opening) =>
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
      let at = 0
      stream.on("data", (chunk: Buffer) => {
        // An entry that is longer than its stated size fails with an error of its stream.
        if (at + chunk.length <= bytes.length) bytes.set(chunk, at)
        at += chunk.length
      })
      stream.on("error", (failure: Error) => reject(unreadableFor(failure)))
      stream.on("end", () => resolve(bytes))
    })
  )
