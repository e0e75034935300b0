/**
 * Files one after another, behind an index: its length in four bytes, and a line of JSON that names each file
 * and its size.
 */
export interface ArchivedFile {
  readonly path: string
  readonly size: number
}

export interface PlacedFile extends ArchivedFile {
  /** First byte, from the beginning of the archive. */
  readonly at: number
}

/** `read`: bytes of the archive, from one on. */
export const indexOf = (read: (at: number, size: number) => Buffer): ReadonlyArray<PlacedFile> => {
  const length = read(0, 4).readUInt32LE(0)
  let at = 4 + length
  return (JSON.parse(read(4, length).toString("utf8")) as ReadonlyArray<ArchivedFile>).map(({ path, size }) => {
    const file = { path, size, at }
    at += size
    return file
  })
}

export const archived = (files: ReadonlyArray<readonly [path: string, bytes: Uint8Array]>): Buffer => {
  const index = files.map(([path, { byteLength: size }]): ArchivedFile => ({ path, size }))
  const json = Buffer.from(JSON.stringify(index))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.byteLength)
  return Buffer.concat([length, json, ...files.map(([, bytes]) => bytes)])
}
