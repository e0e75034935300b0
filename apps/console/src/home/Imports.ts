/**
 * Imports into a space: files or a folder of this computer, a website, or a Git repository. They run on the server in the
 * background. Files are uploaded first; a folder becomes an archive for that.
 *
 * Limits: 50 files, 20 MB each; 20 MB for an archive; one check of the progress a second.
 */
import { ApiProblem, request } from "../api/Api.ts"
import type { GitSyncState, ImportReport, ImportRun } from "../api/Resources.ts"
import { text } from "../language/Language.ts"

const maxFiles = 50
const maxFileBytes = 20 * 1024 * 1024

/** Time between two checks of the progress (ms). */
const pollInterval = 1_000

/** Extensions of files with pages. */
const pageExtensions = ["md", "markdown", "html", "docx"] as const

export const importExtensions = [...pageExtensions, "zip"] as const

export type ImportSource =
  | { readonly type: "files"; readonly files: ReadonlyArray<File> }
  | { readonly type: "folder"; readonly files: ReadonlyArray<File> }
  | { readonly type: "website"; readonly url: string }
  | { readonly type: "git"; readonly url: string; readonly branch: string }

const extensionOf = (name: string): string => name.split(".").at(-1)!.toLowerCase()

const isOneOf = (names: ReadonlyArray<string>, name: string): boolean => names.includes(extensionOf(name))

/** Returns the reason why files can't be imported. Undefined if they can. */
export const filesProblem = (files: ReadonlyArray<File>): string | undefined => {
  if (files.some(({ name }) => !isOneOf(importExtensions, name))) return text("newSpace.unknownFile")
  if (files.length > 1 && files.some(({ name }) => extensionOf(name) === "zip")) return text("newSpace.oneArchive")
  if (files.length > maxFiles) return text("newSpace.manyFiles", { limit: maxFiles })
  return files.some(({ size }) => size > maxFileBytes)
    ? text("newSpace.largeFile", { limit: maxFileBytes / (1024 * 1024) })
    : undefined
}

const folderPath = (file: File): string => file.webkitRelativePath || file.name

/** Returns the files of a folder without hidden ones and packages. */
export const folderContent = (files: ReadonlyArray<File>): ReadonlyArray<File> =>
  files.filter((file) => !/(?:^|\/)(?:\.|node_modules\/)/.test(folderPath(file)))

export const hasPages = (files: ReadonlyArray<File>): boolean => files.some(({ name }) => isOneOf(pageExtensions, name))

/** Returns a folder as an archive. */
const archiveOf = async (files: ReadonlyArray<File>): Promise<File> => {
  const { zip } = await import("fflate")
  const contents: Record<string, Uint8Array> = {}
  for (const file of files) contents[folderPath(file)] = new Uint8Array(await file.arrayBuffer())
  const bytes = await new Promise<Uint8Array>((resolve, reject) =>
    zip(contents, (failure, result) => (failure ? reject(failure) : resolve(result)))
  )
  const name = `${folderPath(files[0]!).split("/")[0]}.zip`
  const archive = new File([bytes as Uint8Array<ArrayBuffer>], name)
  if (archive.size > maxFileBytes)
    throw new ApiProblem(413, text("newSpace.largeFolder", { limit: maxFileBytes / (1024 * 1024) }))
  return archive
}

/** Uploads a file, and returns its key. */
const upload = async (organization: string, file: File): Promise<string> => {
  const { key, url } = await request<{ readonly key: string; readonly url: string }>(
    `/orgs/${organization}/storage/upload`,
    { body: { file: { name: file.name, type: file.type, size: file.size }, kind: "import_file" } }
  )
  // The policy of the page allows requests to its own origin only. The server may have several names.
  const { pathname, search } = new URL(url)
  const response = await fetch(pathname + search, {
    method: "PUT",
    headers: { "content-type": "application/octet-stream" },
    body: file
  }).catch(() => {
    throw new ApiProblem(0, text("problem.unanswered"))
  })
  if (!response.ok) throw new ApiProblem(response.status, text("problem.status", { status: response.status }))
  return key
}

export interface ImportProgress {
  /** Files that are uploaded, and all files. Absent after that. */
  readonly uploaded?: readonly [done: number, all: number]
}

interface ImportContext {
  readonly organization: string
  readonly space: string
  readonly onProgress: (progress: ImportProgress) => void
  /** Stops watching the import. The import continues in the background. */
  readonly signal: AbortSignal
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pollInterval)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })

const runImport = async (
  source: object,
  { organization, space, onProgress, signal }: ImportContext
): Promise<ImportReport> => {
  onProgress({})
  const path = `/org/${organization}/imports`
  let run = await request<ImportRun>(path, { body: { source, target: { space } } })
  while (run.status === "pending" || run.status === "in-progress") {
    await pause(signal)
    run = await request<ImportRun>(`${path}/${run.id}`)
  }
  if (run.report === undefined) throw new ApiProblem(400, run.reason ?? text("newSpace.failed"))
  return run.report
}

const runGit = async (
  url: string,
  branch: string,
  { space, onProgress, signal }: ImportContext
): Promise<ImportReport> => {
  onProgress({})
  await request(`/spaces/${space}/git/import`, { body: { url, ref: `refs/heads/${branch}` } })
  for (;;) {
    await pause(signal)
    const { operation } = await request<GitSyncState>(`/spaces/${space}/git/info`)
    if (operation.report !== undefined) return operation.report
    if (operation.error !== undefined) throw new ApiProblem(400, operation.error)
    if (operation.endedAt !== undefined) throw new ApiProblem(400, text("newSpace.failed"))
  }
}

/** Imports a source into a space. Returns the report. Rejects with the reason if the import fails. */
export const importSource = async (source: ImportSource, context: ImportContext): Promise<ImportReport> => {
  switch (source.type) {
    case "website":
      return runImport({ type: "website", url: source.url }, context)
    case "git":
      return runGit(source.url, source.branch, context)
    default: {
      const files = source.type === "folder" ? [await archiveOf(source.files)] : source.files
      const keys: Array<string> = []
      for (const file of files) {
        context.onProgress({ uploaded: [keys.length, files.length] })
        keys.push(await upload(context.organization, file))
        context.signal.throwIfAborted()
      }
      return runImport({ type: "file", files: keys }, context)
    }
  }
}
