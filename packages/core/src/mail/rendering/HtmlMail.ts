/**
 * HTML of a mail. It loads nothing: no images, fonts, scripts or styles of another place. Styles are inline, because some
 * mail programs ignore style sheets; the sheet has only the colors of the dark mode. Tables set the width for programs
 * without `max-width`. Names of people are isolated in their own direction.
 */
import { escapeHtml } from "../../schema/EscapeHtml.ts"
import type { MailBlock, MailSpan, MailText } from "../MailContent.ts"
import { type MailPage, webUrl } from "./MailPage.ts"

/** Control characters except line feeds. */
// oxlint-disable-next-line no-control-regex -- Hostile texts contain them.
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g

const escape = (text: string): string => escapeHtml(text.replace(controls, ""))

const colors = {
  page: "#f4f5f7",
  card: "#ffffff",
  border: "#dfe2e8",
  text: "#1c1f26",
  muted: "#596072",
  accent: "#1f5fd0",
  onAccent: "#ffffff"
}

const darkColors: typeof colors = {
  page: "#15171c",
  card: "#1e2128",
  border: "#363b47",
  text: "#eceef2",
  muted: "#a7aebc",
  accent: "#8fb4ff",
  onAccent: "#10131a"
}

/** Style sheet of the dark mode. Classes name the colors of the elements. */
const darkSheet = [
  "@media (prefers-color-scheme: dark) {",
  `.page { background-color: ${darkColors.page} !important }`,
  `.card { background-color: ${darkColors.card} !important; border-color: ${darkColors.border} !important }`,
  `.text { color: ${darkColors.text} !important }`,
  `.muted { color: ${darkColors.muted} !important }`,
  `.link { color: ${darkColors.accent} !important }`,
  `.button { background-color: ${darkColors.accent} !important }`,
  `.button a { color: ${darkColors.onAccent} !important }`,
  `.quote { border-color: ${darkColors.border} !important }`,
  "}"
].join("\n")

const font = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const textStyle = `${font}; font-size: 16px; line-height: 24px; color: ${colors.text}; overflow-wrap: anywhere; word-break: break-word`
const mutedStyle = `${font}; font-size: 13px; line-height: 20px; color: ${colors.muted}; overflow-wrap: anywhere; word-break: break-word`

const anchor = (text: string, url: string): string =>
  `<a class="link" href="${escape(url)}" style="color: ${colors.accent}">${escape(text)}</a>`

const span = (part: MailSpan): string => {
  if (typeof part === "string") return escape(part)
  if ("value" in part) {
    const value = `<bdi>${escape(part.value)}</bdi>`
    return part.isStrong === true ? `<strong>${value}</strong>` : value
  }
  const url = webUrl(part.url)
  return url === undefined ? escape(part.text) : anchor(part.text, url)
}

const inline = (text: MailText): string => (typeof text === "string" ? escape(text) : text.map(span).join(""))

const lines = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(escape)
    .join("<br>\n")

/** Sides are named by the direction of the text, since some mail programs ignore logical properties. */
const block = (item: MailBlock, start: "left" | "right"): string => {
  switch (item.type) {
    case "heading":
      return `<h2 class="text" style="${textStyle}; margin: 24px 0 8px; font-size: 18px; font-weight: 600">${inline(item.text)}</h2>`
    case "paragraph":
      return `<p class="text" style="${textStyle}; margin: 0 0 16px">${inline(item.text)}</p>`
    case "list":
      return [
        `<ul class="text" style="${textStyle}; margin: 0 0 16px; padding-${start}: 24px">`,
        ...item.items.map((entry) => `<li style="margin: 0 0 8px">${inline(entry)}</li>`),
        "</ul>"
      ].join("\n")
    case "quote":
      return `<blockquote class="text quote" dir="auto" style="${textStyle}; margin: 0 0 16px; padding: 0 16px; border-style: solid; border-color: ${colors.border}; border-width: 0; border-${start}-width: 4px">${lines(item.text)}</blockquote>`
    case "button": {
      const url = webUrl(item.url)
      if (url === undefined) return ""
      return [
        '<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 8px 0 24px"><tr>',
        `<td class="button" style="border-radius: 6px; background-color: ${colors.accent}">`,
        `<a href="${escape(url)}" style="display: inline-block; padding: 12px 20px; ${font}; font-size: 16px; line-height: 20px; font-weight: 600; color: ${colors.onAccent}; text-decoration: none">${escape(item.text)}</a>`,
        "</td></tr></table>"
      ].join("")
    }
  }
}

const hidden = "display: none; max-height: 0; overflow: hidden; opacity: 0"

export const htmlOf = (page: MailPage): string => {
  const { language, direction, subject, preview, blocks, reason, sender, unsubscribe } = page
  const start = direction === "rtl" ? "right" : "left"
  const footer = [
    `<p class="muted" style="${mutedStyle}; margin: 16px 0 0">${inline(reason)} ${escape(sender)}</p>`,
    ...(unsubscribe === undefined
      ? []
      : [`<p class="muted" style="${mutedStyle}; margin: 8px 0 0">${anchor(unsubscribe.text, unsubscribe.url)}</p>`])
  ]
  return [
    "<!doctype html>",
    `<html lang="${escape(language)}" dir="${direction}">`,
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    `<title>${escape(subject)}</title>`,
    `<style>\n:root { color-scheme: light dark }\n${darkSheet}\n</style>`,
    "</head>",
    `<body class="page" dir="${direction}" style="margin: 0; padding: 0; background-color: ${colors.page}">`,
    `<div style="${hidden}">${escape(preview)}</div>`,
    `<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color: ${colors.page}"><tr><td align="center" style="padding: 24px 12px">`,
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width: 600px; text-align: ${start}">`,
    `<tr><td class="card" style="padding: 24px 24px 8px; background-color: ${colors.card}; border: 1px solid ${colors.border}; border-radius: 8px">`,
    ...blocks.map((item) => block(item, start)),
    "</td></tr>",
    `<tr><td style="padding: 0 24px">`,
    ...footer,
    "</td></tr></table>",
    "</td></tr></table>",
    "</body>",
    "</html>",
    ""
  ].join("\n")
}
