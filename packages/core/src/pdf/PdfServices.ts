/** Services of PDFs. */
import type { Services } from "../Services.ts"
import { makePdf } from "./PdfMaking.ts"
import { removeOldPdfs } from "./PdfRetention.ts"
import { Pdfs } from "./Pdfs.ts"

export const pdfServices = {
  layers: [Pdfs.layer],
  jobs: [makePdf, removeOldPdfs],
  offered: { pdfs: Pdfs }
} as const satisfies Services
