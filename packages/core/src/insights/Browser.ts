/** Detects kinds of browsers from the user agent string, which any client may set freely. */

export interface Browser {
  readonly browser: "chrome" | "firefox" | "safari" | "edge" | "ie" | "opera" | "unknown"
  readonly os: "windows" | "macos" | "linux" | "android" | "ios" | "unknown"
  readonly device: "desktop" | "tablet" | "mobile" | "unknown"
}

/** Ordered: the first match counts, since most user agent strings also contain the names of earlier browsers. */
const browsers: ReadonlyArray<readonly [Browser["browser"], string]> = [
  ["edge", "edg"],
  ["opera", "opr/"],
  ["opera", "opera"],
  ["firefox", "firefox/"],
  ["firefox", "fxios/"],
  ["chrome", "chrome/"],
  ["chrome", "crios/"],
  ["ie", "trident/"],
  ["ie", "msie "],
  ["safari", "safari/"]
]

const systems: ReadonlyArray<readonly [Browser["os"], string]> = [
  ["android", "android"],
  ["ios", "iphone"],
  ["ios", "ipad"],
  ["windows", "windows"],
  ["macos", "mac os x"],
  ["linux", "linux"]
]

/** Words in the user agent strings of programs. Programs often include the URL of a page about them. */
const programs = /bot|crawl|spider|slurp|preview|scan|monitor|headless|lighthouse|https?:/

/**
 * Returns true if a user agent is a browser: all browsers start with `Mozilla/`, and most programs identify themselves.
 */
export const isPerson = (userAgent: string): boolean =>
  userAgent.startsWith("Mozilla/") && !programs.test(userAgent.toLowerCase())

const firstMatch = <A extends string>(entries: ReadonlyArray<readonly [A, string]>, text: string): A | "unknown" =>
  entries.find(([, marker]) => text.includes(marker))?.[0] ?? "unknown"

const deviceOf = (text: string, os: Browser["os"]): Browser["device"] => {
  if (text.includes("ipad") || text.includes("tablet")) return "tablet"
  if (text.includes("mobi")) return "mobile"
  if (os === "android") return "tablet"
  return os === "unknown" ? "unknown" : "desktop"
}

export const browserOf = (userAgent: string): Browser => {
  const text = userAgent.toLowerCase()
  const os = firstMatch(systems, text)
  return { browser: firstMatch(browsers, text), os, device: deviceOf(text, os) }
}
