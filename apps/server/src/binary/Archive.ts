/**
 * Archive format of the binary: the length of the index (4 bytes, little-endian), the index (a line of JSON with path and
 * size of each file), and the files.
 */
export interface ArchivedFile {
  readonly path: string
  readonly size: number
}

export interface FileEntry extends ArchivedFile {
  /** Offset of the first byte in the archive. */
  readonly offset: number
}

/** Returns the files of an archive. `read` returns `size` bytes of the archive from `offset`. */
export const entriesOf = (read: (offset: number, size: number) => Buffer): ReadonlyArray<FileEntry> => {
  const length = read(0, 4).readUInt32LE(0)
  let offset = 4 + length
  return (JSON.parse(read(4, length).toString("utf8")) as ReadonlyArray<ArchivedFile>).map(({ path, size }) => {
    const file = { path, size, offset }
    offset += size
    return file
  })
}

export const archive = (files: ReadonlyArray<readonly [path: string, bytes: Uint8Array]>): Buffer => {
  const index = files.map(([path, { byteLength: size }]): ArchivedFile => ({ path, size }))
  const json = Buffer.from(JSON.stringify(index))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.byteLength)
  return Buffer.concat([length, json, ...files.map(([, bytes]) => bytes)])
}
