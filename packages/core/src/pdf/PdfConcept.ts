/** Declares the event of PDFs, that PDFs are deleted with their space, and that they retain their files. */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { event } from "../event/EventKind.ts"
import { SpaceId } from "../space/Space.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { UserId } from "../user/User.ts"
import { PdfTable } from "./Pdf.ts"

export const pdfConcept = concept({
  events: [
    /** Emitted if a PDF that a member requested was created, or could not be created. */
    event("pdf_finished", {
      space: SpaceId,
      pdf: Schema.String,
      state: Schema.Literals(["success", "failure"]),
      startedBy: UserId
    })
  ],
  spaceDependents: [rowsWhere(PdfTable, (space) => ({ space }))],
  roots: [root(PdfTable, ({ blob }) => ({ blobs: [blob] }))]
})
