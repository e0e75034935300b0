/** Declares that uploads retain the blobs of their files. */
import { concept } from "../Concept.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { UploadTable } from "./Upload.ts"

export const uploadConcept = concept({ roots: [root(UploadTable, ({ blob }) => ({ blobs: [blob] }))] })
