/**
 * Settings of the parts around the pages of a site: favicon, header, footer, social accounts and an announcement.
 *
 * Limits: 100 links in a list, 100 groups in the footer, 10 social accounts. Title of a link 64 characters, of a menu
 * or a group 128, copyright 300, announcement 2 to 128, URLs 2,048.
 *
 * The target of a link is content, a URL of http, https, mailto or tel, or a URL relative to the site. Menus and groups
 * contain only links.
 */
import { Schema } from "effect"
import { ConditionText } from "@lectern/document/condition/ConditionText"
import { ContentRef } from "@lectern/document/ContentRef"
import { Emoji } from "../schema/Emoji.ts"
import { HttpUrl } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { group, optional, setting } from "./SettingsTree.ts"
import { ThemedColor } from "./Styling.ts"

/** URLs for the light and the dark mode. */
const ThemedUrl = Schema.Struct({ light: HttpUrl, dark: HttpUrl })

const protocols: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"])

/**
 * Returns true if a URL has an allowed protocol or is relative. Parses the URL as browsers do, since they ignore white
 * space that could hide another protocol.
 */
const isAllowedTarget = (url: string) => {
  const base = "https://site.invalid/"
  return url !== "" && URL.canParse(url, base) && protocols.has(new URL(url, base).protocol)
}

export const Target = ContentRef.check(
  Schema.makeFilter((ref) =>
    ref.kind !== "url" || (ref.url.length <= 2048 && isAllowedTarget(ref.url))
      ? undefined
      : { path: ["url"], issue: "Expected a URL of http, https, mailto or tel, or a relative one" }
  )
)

const linkList = <S extends Schema.Top>(item: S) => Schema.Array(item).check(Schema.isMaxLength(100))

/** A picture or an emoji. Default: the favicon of the instance. */
export const favicon = setting(
  Schema.Struct({
    icon: Schema.optionalKey(ThemedUrl),
    emoji: Schema.optionalKey(Emoji.check(Schema.isMinLength(1)))
  }).check(
    Schema.makeFilter(({ icon, emoji }) =>
      icon === undefined || emoji === undefined ? undefined : "Expected an icon or an emoji, not both"
    )
  ),
  {}
)

/** Returns the settings that contain links. `target`: schema of the target of a link. */
export const linkSettings = <T extends Schema.Top>(target: T) => {
  const ContentLink = Schema.Struct({ title: Text.line(0, 64), to: target })
  /** A link, or a menu if `links` is not empty. `to` is null if the menu itself is not a link. */
  const HeaderItem = Schema.Struct({
    title: Text.line(0, 128),
    style: Schema.optionalKey(Schema.Literals(["link", "button-primary", "button-secondary"])),
    to: Schema.NullOr(target),
    links: linkList(ContentLink),
    condition: Schema.optionalKey(ConditionText)
  })
  const FooterGroup = Schema.Struct({ title: Text.line(0, 128), links: linkList(ContentLink) })
  return {
    header: group({
      preset: setting(Schema.Literals(["default", "bold", "contrast", "custom", "none"]), "default"),
      logo: optional(ThemedUrl),
      backgroundColor: optional(ThemedColor),
      linkColor: optional(ThemedColor),
      links: setting(linkList(HeaderItem), [])
    }),
    footer: group({
      logo: optional(ThemedUrl),
      groups: setting(linkList(FooterGroup), []),
      copyright: optional(Text.atMost(300))
    }),
    announcement: optional(
      Schema.Struct({
        enabled: Schema.Boolean,
        message: Text.between(2, 128),
        link: Schema.optionalKey(ContentLink),
        style: Schema.Literals(["info", "warning", "danger", "success"])
      })
    )
  }
}

/** Accounts on social platforms. `handle`: name of the account without `@`. */
export const socialAccounts = setting(
  Schema.Array(
    Schema.Struct({
      platform: Schema.Literals([
        "twitter",
        "instagram",
        "facebook",
        "linkedin",
        "github",
        "discord",
        "slack",
        "youtube",
        "tiktok",
        "reddit",
        "bluesky",
        "mastodon",
        "threads",
        "medium"
      ]),
      handle: Text.between(1, 128),
      display: Schema.Struct({ footer: Schema.Boolean, header: Schema.Boolean })
    })
  ).check(Schema.isMaxLength(10)),
  []
)
