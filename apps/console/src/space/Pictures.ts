/** URLs of pictures in a document: those of files of the content, and URLs of other websites. */
import type { ContentRef, Document } from "@lectern/document/Document"
import type { ContentPlace } from "../api/Queries.ts"
import { client, queries } from "../api/Queries.ts"

type PictureUrl = (ref: ContentRef) => string | undefined

/** Loads the URLs of files if the document uses files. */
export const pictureUrls = async (place: ContentPlace, document: Document): Promise<PictureUrl> => {
  const hasFiles = JSON.stringify(document.nodes).includes('"kind":"file"')
  const files = hasFiles ? await client.ensureQueryData(queries.files(place)) : []
  const byId = new Map<unknown, string>(files.map(({ downloadURL, id }) => [id, downloadURL]))
  return (ref) => {
    if (ref.kind === "file") return byId.get(ref["file"])
    const url = ref.kind === "url" ? ref["url"] : undefined
    return typeof url === "string" && /^https?:\/\//i.test(url) ? url : undefined
  }
}
