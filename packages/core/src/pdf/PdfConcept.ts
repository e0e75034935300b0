/** PDFs of a space, and the files of them. */
import { concept } from "../Concept.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { rowsWhere } from "../space/SpaceBelonging.ts"
import { PdfTable } from "./Pdf.ts"

export const pdfConcept = concept({
  spaceBelongings: [rowsWhere(PdfTable, (space) => ({ space }))],
  roots: [root(PdfTable, ({ blob }) => ({ blobs: [blob] }))]
})
