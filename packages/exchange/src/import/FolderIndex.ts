/**
 * Finds the files of a folder by link destinations: by the exact path first, then ignoring case. A page is also found
 * without its extension, and by its folder. An asset or a picture is also found by its file name, if exactly one file
 * has that name. A post is also found by the date and the name in its path.
 */
import type { FolderFile } from "./Folder.ts"
import * as FolderPath from "./FolderPath.ts"

/** Maximum number of files of one name that a lookup compares. */
const maxNamesakes = 100

const foldCase = (path: string) => path.normalize("NFC").toLowerCase()

export class FolderIndex {
  readonly #byPath: ReadonlyMap<string, FolderFile>
  readonly #folded = new Map<string, FolderFile>()
  /** Files by base name without the extension of a page. Undefined until the first lookup. */
  #named: Map<string, Array<FolderFile>> | undefined
  #byName: readonly [assets: FileNameIndex, pictures: FileNameIndex] | undefined
  /**
   * Posts by date and name, in the forms of `post`. Null if several posts have the name. Undefined until the first
   * lookup.
   */
  #posts: ReadonlyMap<string, FolderFile | null> | undefined

  constructor(files: ReadonlyArray<FolderFile>) {
    this.#byPath = new Map(files.map((file) => [file.path, file]))
    for (const file of files) {
      const folded = foldCase(file.path)
      if (!this.#folded.has(folded)) this.#folded.set(folded, file)
    }
  }

  /**
   * Returns the only file with a name in asset folders, or else the only picture with this name. Undefined if no file
   * has the name, or if several have it, also when ignoring case.
   */
  findByName(name: string): FolderFile | undefined {
    this.#byName ??= [
      new FileNameIndex(this.files, FolderPath.isAsset),
      new FileNameIndex(this.files, (path) => FolderPath.isPicture(path) && !FolderPath.isAsset(path))
    ]
    const [assets, pictures] = this.#byName
    const asset = assets.find(name)
    return (asset === undefined ? pictures.find(name) : asset) ?? undefined
  }

  /**
   * Returns the only page or file with a name, or with a path that ends in it. The name of a page has no extension.
   * Undefined if several have it.
   */
  findNamed(name: string): FolderFile | undefined {
    if (this.#named === undefined) {
      this.#named = new Map()
      for (const file of this.files) {
        const folded = foldCase(FolderPath.withoutExtension(file.path))
        const baseName = FolderPath.baseName(folded)
        const files = this.#named.get(baseName)
        if (files === undefined) this.#named.set(baseName, [file])
        else if (files.length < maxNamesakes) files.push(file)
      }
    }
    const folded = foldCase(FolderPath.withoutExtension(name)).replace(/^\/+|\/+$/g, "")
    const files = (this.#named.get(FolderPath.baseName(folded)) ?? []).filter((file) =>
      `/${foldCase(FolderPath.withoutExtension(file.path))}`.endsWith(`/${folded}`)
    )
    return files.length === 1 ? files[0] : undefined
  }

  /**
   * Returns the only post that a path names as blogs publish it: `2024/03/31/name` or `2024/03/name` for
   * `2024-03-31-name.md`, or for the page of a folder of that name.
   */
  post(path: string): FolderFile | undefined {
    const datedPath = /(?:^|\/)(\d{4})\/(\d\d)(?:\/(\d\d))?\/([^/]+)\/?$/.exec(path)
    if (datedPath === null) return undefined
    const [, year, month, day, name = ""] = datedPath
    this.#posts ??= postsIn(this.files)
    return this.#posts.get(foldCase([year, month, ...(day === undefined ? [] : [day]), name].join("/"))) ?? undefined
  }

  get files(): Iterable<FolderFile> {
    return this.#byPath.values()
  }

  file(path: string): FolderFile | undefined {
    return this.#byPath.get(path) ?? this.#folded.get(foldCase(path))
  }

  /** Returns the page at a path. The path of a folder returns its README or index. */
  page(path: string): FolderFile | undefined {
    const file = this.file(path)
    if (file !== undefined) return FolderPath.isMarkdown(file.path) ? file : undefined
    return this.file(`${path}.md`) ?? this.file(`${path}.mdx`) ?? this.readme(path)
  }

  /** Returns true if a folder or a folder below it contains a page. */
  hasPageIn(folder: string): boolean {
    const prefix = folder === "" ? "" : `${folder}/`
    return Array.from(this.files).some(({ path }) => path.startsWith(prefix) && FolderPath.isMarkdown(path))
  }

  /** Returns the README or index of a folder. */
  readme(folder: string): FolderFile | undefined {
    const prefix = folder === "" ? "" : `${folder}/`
    for (const name of ["README.md", "index.md", "_index.md", "index.mdx", "README.mdx"]) {
      const file = this.file(prefix + name)
      if (file !== undefined) return file
    }
    return undefined
  }
}

const postsIn = (files: Iterable<FolderFile>): ReadonlyMap<string, FolderFile | null> => {
  const posts = new Map<string, FolderFile | null>()
  for (const file of files) {
    if (!FolderPath.isMarkdown(file.path)) continue
    const path = FolderPath.isReadme(file.path) ? FolderPath.directory(file.path) : file.path
    const date = /^(\d{4})-(\d\d)-(\d\d)-(.+?)(?:\.(?:mdx?|markdown))?$/i.exec(FolderPath.baseName(path))
    if (date === null) continue
    const [, year, month, day, name] = date
    for (const datedPath of [`${year}/${month}/${name}`, `${year}/${month}/${day}/${name}`].map(foldCase)) {
      posts.set(datedPath, posts.has(datedPath) ? null : file)
    }
  }
  return posts
}

/** Finds files by their file name without folder. */
class FileNameIndex {
  /** Files by exact name; null if several files have the name. */
  readonly #byPath = new Map<string, FolderFile | null>()
  readonly #folded = new Map<string, FolderFile | null>()

  constructor(files: Iterable<FolderFile>, isIncluded: (path: string) => boolean) {
    for (const file of files) {
      if (!isIncluded(file.path)) continue
      const name = FolderPath.baseName(file.path).normalize("NFC")
      this.#byPath.set(name, this.#byPath.has(name) ? null : file)
      this.#folded.set(foldCase(name), this.#folded.has(foldCase(name)) ? null : file)
    }
  }

  /** Returns undefined if no file has the name, null if several have it. */
  find(name: string): FolderFile | null | undefined {
    const exactMatch = this.#byPath.get(name.normalize("NFC"))
    return exactMatch === undefined ? this.#folded.get(foldCase(name)) : exactMatch
  }
}
