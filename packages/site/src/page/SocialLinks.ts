/** Links to a site's accounts on social platforms. */
import type { Customization } from "@lectern/core/customization/Customization"
import type { RenderDependencies } from "../document/BlockRenderer.ts"
import { type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"

type Account = Customization["socialAccounts"][number]

/**
 * Base URL of account pages by platform. Mastodon and Slack have no base URL, since their handle determines the host.
 */
const platforms: Readonly<Record<Account["platform"], readonly [name: string, icon: string, base: string]>> = {
  twitter: ["X", "x-twitter", "https://x.com/"],
  instagram: ["Instagram", "instagram", "https://www.instagram.com/"],
  facebook: ["Facebook", "facebook", "https://www.facebook.com/"],
  linkedin: ["LinkedIn", "linkedin", "https://www.linkedin.com/"],
  github: ["GitHub", "github", "https://github.com/"],
  discord: ["Discord", "discord", "https://discord.gg/"],
  slack: ["Slack", "slack", ""],
  youtube: ["YouTube", "youtube", "https://www.youtube.com/@"],
  tiktok: ["TikTok", "tiktok", "https://www.tiktok.com/@"],
  reddit: ["Reddit", "reddit", "https://www.reddit.com/"],
  bluesky: ["Bluesky", "bluesky", "https://bsky.app/profile/"],
  mastodon: ["Mastodon", "mastodon", ""],
  threads: ["Threads", "threads", "https://www.threads.net/@"],
  medium: ["Medium", "medium", "https://medium.com/@"]
}

/** Characters of handles, including slashes: `company/acme`, `r/acme`. */
const handlePattern = /^[\p{L}\p{N}._@/-]+$/u

const hrefOf = ({ platform, handle }: Account): string | undefined => {
  if (/^https?:\/\//.test(handle)) return SafeUrls.linkUrl(handle)
  const name = handle.replace(/^@/, "")
  if (!handlePattern.test(name)) return undefined
  if (platform === "mastodon") {
    const [user, server] = name.split("@")
    return server === undefined || server === ""
      ? `https://mastodon.social/@${user}`
      : SafeUrls.linkUrl(`https://${server}/@${user}`)
  }
  if (platform === "slack")
    return SafeUrls.linkUrl(`https://${name.replace(/\.slack\.com.*$/, "").replace(/[^\w-]/g, "-")}.slack.com`)
  if (platform === "linkedin" && !name.includes("/"))
    return SafeUrls.linkUrl(`https://www.linkedin.com/company/${name}`)
  if (platform === "reddit" && !name.includes("/")) return SafeUrls.linkUrl(`https://www.reddit.com/r/${name}`)
  return SafeUrls.linkUrl(platforms[platform][2] + name)
}

export const renderSocialLinks = (
  accounts: ReadonlyArray<Account>,
  { icon }: Pick<RenderDependencies, "icon">
): Html | undefined => {
  const links = accounts.flatMap((account) => {
    const href = hrefOf(account)
    const [name, iconName] = platforms[account.platform]
    const iconHtml = icon(iconName)
    return href === undefined
      ? []
      : html`<li><a href="${href}" rel="me noopener"${iconHtml && html` aria-label="${name}"`}>${iconHtml ?? name}</a></li>`
  })
  return links.length === 0 ? undefined : html`<ul class="socials">${links}</ul>`
}
