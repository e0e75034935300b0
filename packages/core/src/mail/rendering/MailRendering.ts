/**
 * Renders the text and the HTML of a mail from its description, in one language. Both are pure functions of the
 * description.
 */
import type { InterfaceLanguage } from "../../schema/InterfaceLanguage.ts"
import { languageInfo } from "../../schema/InterfaceLanguage.ts"
import { cut, inOneLine } from "../../schema/Text.ts"
import { type MailBlock, type MailContent, type MailText, plainText } from "../MailContent.ts"
import { mailTexts } from "../MailTexts.ts"
import type { OutgoingMail } from "../MailTransport.ts"
import { htmlOf } from "./HtmlMail.ts"
import type { MailPage } from "./MailPage.ts"
import { textOf } from "./TextMail.ts"

const maxSubject = 200
const maxPreview = 140
const maxBlocks = 200
const maxText = 10_000

/** Characters that change the direction of the following text. Renderers isolate values instead. */
const directions = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

const boundedString = (text: string): string => cut(text.toWellFormed().replace(directions, ""), maxText)

const boundedText = (text: MailText): MailText =>
  typeof text === "string"
    ? boundedString(text)
    : text.slice(0, maxBlocks).map((span) => {
        if (typeof span === "string") return boundedString(span)
        return "value" in span
          ? { ...span, value: boundedString(span.value) }
          : { ...span, text: boundedString(span.text) }
      })

const boundedBlock = (block: MailBlock): MailBlock => {
  switch (block.type) {
    case "heading":
    case "paragraph":
      return { ...block, text: boundedText(block.text) }
    case "button":
    case "quote":
      return { ...block, text: boundedString(block.text) }
    case "list":
      return { ...block, items: block.items.slice(0, maxBlocks).map(boundedText) }
  }
}

/** Returns the first paragraph, in one line. */
const firstParagraph = (blocks: ReadonlyArray<MailBlock>): string => {
  const block = blocks.find(({ type }) => type === "paragraph")
  return block?.type === "paragraph" ? plainText(block.text) : ""
}

/** `publicUrl`: URL of the instance, which names it at the end of each mail. */
export const makeMailRenderer =
  (publicUrl: string) =>
  (
    content: MailContent,
    language: InterfaceLanguage,
    unsubscribeUrl: string | undefined
  ): Pick<OutgoingMail, "subject" | "text" | "html" | "language"> => {
    const { footer } = mailTexts[language]
    const blocks = content.blocks.slice(0, maxBlocks).map(boundedBlock)
    const subject = inOneLine(boundedString(content.subject), maxSubject)
    const page: MailPage = {
      ...languageInfo(language),
      subject,
      preview: inOneLine(boundedString(content.preview ?? firstParagraph(blocks)), maxPreview),
      blocks,
      reason: boundedText(content.reason),
      sender: new URL(publicUrl).host,
      ...(unsubscribeUrl !== undefined && { unsubscribe: { text: footer.unsubscribe, url: unsubscribeUrl } })
    }
    return { subject, text: textOf(page), html: htmlOf(page), language: page.language }
  }
