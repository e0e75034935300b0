/**
 * Parses and serializes trees of a repository. Names are bytes as Latin-1 text, so an entry that was parsed is
 * serialized to the same bytes. Libraries read names as UTF-8, which changes invalid names and so would rename other
 * files.
 */

export interface TreeEntry {
  readonly mode: string
  /** Name with each byte as one character. */
  readonly name: string
  readonly oid: string
}

export const folderMode = "40000"
export const fileMode = "100644"
export const linkMode = "120000"
export const moduleMode = "160000"

export const parse = (tree: Uint8Array): ReadonlyArray<TreeEntry> => {
  const bytes = Buffer.from(tree.buffer, tree.byteOffset, tree.length)
  const entries: Array<TreeEntry> = []
  for (let offset = 0; offset < bytes.length;) {
    const space = bytes.indexOf(0x20, offset)
    const end = bytes.indexOf(0, space)
    if (space === -1 || end === -1 || end + 21 > bytes.length) throw new Error("A tree is damaged")
    entries.push({
      mode: bytes.toString("latin1", offset, space).replace(/^0+/, ""),
      name: bytes.toString("latin1", space + 1, end),
      oid: bytes.toString("hex", end + 1, end + 21)
    })
    offset = end + 21
  }
  return entries
}

/** Serializes entries in Git's order, which sorts folders as if their names ended in a slash. */
export const print = (entries: Iterable<TreeEntry>): Buffer => {
  const sortName = ({ mode, name }: TreeEntry) => (mode === folderMode ? `${name}/` : name)
  const sorted = [...entries].sort((a, b) => (sortName(a) < sortName(b) ? -1 : 1))
  return Buffer.concat(
    sorted.flatMap(({ mode, name, oid }) => [Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(oid, "hex")])
  )
}

/** Converts the text of a name to the form of `TreeEntry`. */
export const nameOf = (text: string): string => Buffer.from(text, "utf8").toString("latin1")

/** Converts the name of an entry to text. Undefined if its bytes are not UTF-8. */
export const textOf = (name: string): string | undefined => {
  const text = Buffer.from(name, "latin1").toString("utf8")
  return nameOf(text) === name ? text : undefined
}

/** True if a name is safe: no file system reads it as another file or as `.git`. */
export const isName = (text: string): boolean =>
  text !== "" && !/^\.{1,2}$|[/\\\p{Cc}]/u.test(text) && !/^(?:\.git|git~\d)$/.test(foldCase(text))

/**
 * Normalizes a name as some file systems do, which ignore case, trailing dots and spaces, stream names and invisible
 * characters.
 */
const foldCase = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, "")
    .split(":")[0]!
    .replace(/(?<![. ])[. ]+$/, "")
    .toLowerCase()
