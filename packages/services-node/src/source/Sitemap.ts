/**
 * Reads a sitemap: the URLs of its pages and of further sitemaps. Also accepts a plain-text list of URLs and gzip.
 *
 * Limits: 10 MiB unpacked, 10,000 pages, 10,000 sitemaps.
 */
import { gunzipSync } from "node:zlib"
import type { SourceSitemap } from "@lectern/exchange/import/SourceReader"
import { Parser } from "htmlparser2"

const maxBytes = 10 * 1024 * 1024
const maxEntries = 10_000

export const read = (bytes: Uint8Array): SourceSitemap => {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const text = new TextDecoder().decode(isPacked ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes)
  return /^\s*(?:\uFEFF)?</.test(text)
    ? fromXml(text)
    : { pages: text.split(/\s+/, maxEntries).filter(isUrl), sitemaps: [] }
}

const isUrl = (text: string) => /^https?:\/\//i.test(text)

const fromXml = (xml: string): SourceSitemap => {
  const pages: Array<string> = []
  const sitemaps: Array<string> = []
  let targetList: Array<string> | undefined
  let address: string | undefined
  // The parser knows only the predefined entities of XML, so entity expansion is impossible.
  const parser = new Parser(
    {
      onopentagname: (name) => {
        if (name === "url") targetList = pages
        else if (name === "sitemap") targetList = sitemaps
        else if (name === "loc") address = ""
      },
      ontext: (text) => {
        if (address !== undefined && address.length < 2048) address += text
      },
      onclosetag: (name) => {
        if (name === "url" || name === "sitemap") targetList = undefined
        if (name !== "loc") return
        const url = address?.trim() ?? ""
        if (targetList !== undefined && targetList.length < maxEntries && isUrl(url)) targetList.push(url)
        address = undefined
      }
    },
    { xmlMode: true, decodeEntities: true }
  )
  parser.end(xml)
  return { pages, sitemaps }
}
