/** Declares that the payloads of mails are encrypted. */
import { concept } from "../Concept.ts"
import { MailTable } from "./Mail.ts"

export const mailConcept = concept({ sealed: [MailTable] })
