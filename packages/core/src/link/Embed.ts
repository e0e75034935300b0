/**
 * A URL as it is shown where it is embedded: by its host and path. Nothing is fetched for it, so what it leads to
 * learns of no reader, and nobody makes the server ask for a URL.
 *
 * Limits: URL 2,048 characters.
 */
import { Schema } from "effect"
import { decoded } from "@lectern/document/PercentEncoding"
import * as Text from "../schema/Text.ts"

export const EmbedUrl = Schema.Struct({ url: Text.HttpUrl.annotateKey({ description: "The URL to look up." }) })

/** The resource. */
export const Embed = Schema.Struct({ type: Schema.Literal("link"), title: Schema.String, site: Schema.String })
export type Embed = typeof Embed.Type

/** The URL is valid. */
export const embedOf = (url: string): Embed => {
  const { hostname, pathname } = new URL(url)
  const site = hostname.replace(/^www\./, "")
  return { type: "link", title: `${site}${decoded(pathname).replace(/\/$/, "")}`, site }
}
