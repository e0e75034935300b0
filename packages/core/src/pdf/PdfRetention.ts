/** Job that deletes PDFs that were not requested for 7 days. Runs daily. Garbage collection deletes their bytes. */
import { removeOlder, scheduled } from "../job/Schedule.ts"
import { retention, PdfTable } from "./Pdf.ts"

export const removeOldPdfs = scheduled(
  "remove-old-pdfs",
  { days: 1 },
  removeOlder(PdfTable, retention, (isOlder) => ({ askedAt: isOlder }))
)
