/**
 * Pictures and other files in the editor: their URLs, and files that are pasted, dropped or chosen. A file is stored in
 * the change request first and then inserted at the cursor. Limit: 1 MiB for each file, as for all content changes.
 */
import type { ContentRef, Document } from "@lectern/document/Document"
import * as Commands from "@lectern/editor/Commands"
import type { EditorOptions } from "@lectern/editor/Editor"
import { changeRequestPath, client, contentKey, queries } from "../api/Queries.ts"
import type { File as StoredFile } from "../api/Resources.ts"
import { upload } from "../api/Upload.ts"
import { notifyProblem, notifyProgress } from "../frame/Notices.tsx"
import { text } from "../language/Language.ts"
import { dataUrl } from "./DataUrl.ts"

const maxBytes = 1024 * 1024

interface ChangeRequestKey {
  readonly space: string
  readonly changeRequest: number
}

/** Stores a file in the change request. */
export const storeFile = async (
  { space, changeRequest }: ChangeRequestKey,
  file: File,
  options: Pick<Parameters<typeof upload>[1], "signal" | "onProgress"> = {}
): Promise<StoredFile> => {
  if (file.size > maxBytes) throw new Error(text("files.large", { name: file.name }))
  const base64 = (await dataUrl(file)).replace(/^[^,]*,/, "")
  const { insertedFiles } = await upload<{ readonly insertedFiles: ReadonlyArray<StoredFile> }>(
    `${changeRequestPath(space, changeRequest)}/content`,
    {
      ...options,
      query: { compat: false },
      body: { changes: [{ operation: "insert_files", files: [{ name: file.name || "file", base64 }] }] }
    }
  )
  return insertedFiles[0]!
}

/** Stores a file, with a notice. Returns undefined if it was cancelled or failed, which another notice says. */
const storeWithProgress = async (place: ChangeRequestKey, file: File): Promise<StoredFile | undefined> => {
  const { name } = file
  const cancelled = new AbortController()
  const { end, update } = notifyProgress(text("files.adding", { name }), () => cancelled.abort())
  try {
    return await storeFile(place, file, { signal: cancelled.signal, onProgress: update })
  } catch (failure) {
    if (!cancelled.signal.aborted)
      notifyProblem(file.size > maxBytes ? failure : text("files.failed", { name, reason: (failure as Error).message }))
    return undefined
  } finally {
    end()
  }
}

/** Returns the options of an editor for files, with the URLs of the files that the document uses. */
export const editorFiles = async (
  place: ChangeRequestKey,
  document: Document
): Promise<Required<Pick<EditorOptions, "pictureUrl" | "addFiles">>> => {
  const hasFiles = JSON.stringify(document.nodes).includes('"kind":"file"')
  const files = hasFiles ? await client.ensureQueryData(queries.files(place)) : []
  const urls = new Map<string, string>(files.map(({ downloadURL, id }) => [id, downloadURL]))
  return {
    pictureUrl: (ref: ContentRef) => {
      if (ref.kind === "file") return urls.get(ref.file)
      return ref.kind === "url" && /^https?:\/\//i.test(ref.url) ? ref.url : undefined
    },

    addFiles: (added, view) => {
      const addAll = async () => {
        for (const file of added) {
          const stored = await storeWithProgress(place, file)
          if (stored === undefined) continue
          const { contentType, downloadURL, id } = stored
          urls.set(id, downloadURL)
          const data = { ref: { kind: "file", file: id } }
          const command = contentType.startsWith("image/")
            ? Commands.insertPicture(data)
            : Commands.insert("file", data)
          if (!view.isDestroyed) command(view.state, view.dispatch, view)
        }
        await client.invalidateQueries({ queryKey: [...contentKey(place), "files"] })
      }
      addAll().catch(notifyProblem)
      return true
    }
  }
}
