/**
 * Text of a mail. URLs are in lines of their own or in angle brackets, so that programs recognize their end. Names in the
 * other direction are isolated, so that they don't reorder the text around them.
 */
import type { MailBlock, MailSpan, MailText } from "../MailContent.ts"
import { type MailPage, webUrl } from "./MailPage.ts"

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const latin = /[A-Za-z]/

const isolated = (value: string, direction: MailPage["direction"]): string => {
  const isOpposite = direction === "ltr" ? rightToLeft.test(value) : latin.test(value)
  return isOpposite ? `\u2068${value}\u2069` : value
}

const spanText = (span: MailSpan, { direction }: MailPage): string => {
  if (typeof span === "string") return span
  if ("value" in span) return isolated(span.value, direction)
  const url = webUrl(span.url)
  return url === undefined ? span.text : `${span.text} <${url}>`
}

const inline = (text: MailText, page: MailPage): string =>
  (typeof text === "string" ? text : text.map((span) => spanText(span, page)).join("")).replace(/\s+/g, " ").trim()

const quoted = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n")

const blockText = (block: MailBlock, page: MailPage): string => {
  switch (block.type) {
    case "heading":
      return inline(block.text, page).toUpperCase()
    case "paragraph":
      return inline(block.text, page)
    case "button": {
      const url = webUrl(block.url)
      return url === undefined ? "" : `${block.text}:\n${url}`
    }
    case "list":
      return block.items.map((item) => `- ${inline(item, page)}`).join("\n")
    case "quote":
      return quoted(block.text)
  }
}

export const textOf = (page: MailPage): string => {
  const { unsubscribe, reason, sender } = page
  const body = page.blocks.map((block) => blockText(block, page)).filter((text) => text !== "")
  const footer = [
    `${inline(reason, page)} ${sender}`.trim(),
    ...(unsubscribe === undefined ? [] : [`${unsubscribe.text}:\n${unsubscribe.url}`])
  ]
  // "-- " starts the signature, which mail programs display in a lighter color.
  return `${body.join("\n\n")}\n\n-- \n${footer.join("\n\n")}\n`.replace(controls, "")
}

/** Control characters except line feeds. */
// oxlint-disable-next-line no-control-regex -- Hostile texts contain them.
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g
