/** Lists the service that creates PDFs of content, the job that writes a PDF, and the job that removes old ones. */
import { offer, type Services } from "../Services.ts"
import { makePdf } from "./PdfCreation.ts"
import { removeOldPdfs } from "./PdfRetention.ts"
import { Pdfs } from "./Pdfs.ts"

export const pdfServices = {
  jobs: [makePdf, removeOldPdfs],
  offered: {
    pdfs: offer(Pdfs, "outsideTransaction")
  }
} as const satisfies Services
