/**
 * Presents an embedded URL: as a frame if the provider is known, otherwise by its host and path. The server requests
 * nothing. So the target learns nothing about readers, and no caller can make the server request a URL.
 *
 * Limits: URL 2,048 characters.
 */
import { Schema } from "effect"
import * as EmbedProviders from "@lectern/document/EmbedProviders"
import { decodePercent } from "@lectern/document/PercentEncoding"
import * as Text from "../schema/Text.ts"

export const EmbedUrl = Schema.Struct({ url: Text.HttpUrl.annotateKey({ description: "The URL to look up." }) })

/** The resource. */
export const Embed = Schema.Union([
  Schema.Struct({ type: Schema.Literal("link"), title: Schema.String, site: Schema.String }),
  /** `html`: one frame with the provider's own URL and no markup from the author. */
  Schema.Struct({ type: Schema.Literal("rich"), title: Schema.String, site: Schema.String, html: Schema.String })
])
export type Embed = typeof Embed.Type

/** Returns the presentation of a valid URL. */
export const embedOf = (url: string): Embed => {
  const { hostname, pathname } = new URL(url)
  const site = hostname.replace(/^www\./, "")
  const title = `${site}${decodePercent(pathname).replace(/\/$/, "")}`
  const frame = EmbedProviders.frameOf(url)
  return frame === undefined ? { type: "link", title, site } : { type: "rich", title, site, html: htmlOf(frame) }
}

const htmlOf = ({ name, url, shape }: EmbedProviders.Frame): string => {
  const source = new URL(url)
  // Autoplay is removed, because the reader has not started playback.
  source.searchParams.delete("autoplay")
  const height = shape === "low" ? 152 : shape === "tall" ? 700 : 450
  return `<iframe src="${source.href.replaceAll("&", "&amp;").replaceAll('"', "%22")}" title="${name}" width="100%" height="${height}" frameborder="0" loading="lazy" allowfullscreen></iframe>`
}
