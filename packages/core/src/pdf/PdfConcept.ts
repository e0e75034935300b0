/** Declares PDFs: they are deleted with their space, and retain their files. */
import { concept } from "../Concept.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { PdfTable } from "./Pdf.ts"

export const pdfConcept = concept({
  spaceDependents: [rowsWhere(PdfTable, (space) => ({ space }))],
  roots: [root(PdfTable, ({ blob }) => ({ blobs: [blob] }))]
})
