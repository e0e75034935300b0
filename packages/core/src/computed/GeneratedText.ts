/** Texts of generated pages for which the integration provides none. */
import type { Document } from "@lectern/document/Document"
import type { PageEntry } from "../content/pages/Page.ts"
import { DocumentWriter, line, link } from "./DocumentWriter.ts"

/** Returns a list of links to the pages directly below a computed page. */
export const linksTo = (pages: ReadonlyArray<PageEntry>): Document => {
  const writer = new DocumentWriter()
  for (const { id, type, title, description = "", target } of pages) {
    const ref = type === "link" ? (target ?? { kind: "url", url: "" }) : ({ kind: "page", page: id } as const)
    writer.paragraph(line(link(title, ref), description === "" ? "" : `: ${description}`))
  }
  return writer.finish()
}

const notices = {
  absent: "The integration that creates this page is not active in this space.",
  silent: "The integration that creates this page has not responded. Try again in a few minutes."
}

/** Returns a document that states why there is no content. */
export const notice = (why: keyof typeof notices): Document => {
  const writer = new DocumentWriter()
  writer.hint("info", line(notices[why]))
  return writer.finish()
}
