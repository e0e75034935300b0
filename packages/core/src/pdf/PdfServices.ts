/** Services of PDFs. */
import { offer, type Services } from "../Services.ts"
import { makePdf } from "./PdfMaking.ts"
import { removeOldPdfs } from "./PdfRetention.ts"
import { Pdfs } from "./Pdfs.ts"

export const pdfServices = {
  layers: [Pdfs.layer],
  jobs: [makePdf, removeOldPdfs],
  offered: {
    pdfs: offer(Pdfs, "apart")
  }
} as const satisfies Services
