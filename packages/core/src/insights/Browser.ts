/** Kinds of browsers, as the text that they tell of themselves says. It is no proof. */

export interface Browser {
  readonly browser: "chrome" | "firefox" | "safari" | "edge" | "ie" | "opera" | "unknown"
  readonly os: "windows" | "macos" | "linux" | "android" | "ios" | "unknown"
  readonly device: "desktop" | "tablet" | "mobile" | "unknown"
}

/** The first that is found counts: most name those before them as well. */
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

/** Words of programs that read pages and say so. What is written of them leads to a page that tells of them. */
const programs = /bot|crawl|spider|slurp|preview|scan|monitor|headless|lighthouse|https?:/

/** Tells whether somebody looks at what is asked for: all browsers begin alike, and programs mostly say that they are some. */
export const isPerson = (userAgent: string): boolean =>
  userAgent.startsWith("Mozilla/") && !programs.test(userAgent.toLowerCase())

const first = <A extends string>(known: ReadonlyArray<readonly [A, string]>, text: string): A | "unknown" =>
  known.find(([, sign]) => text.includes(sign))?.[0] ?? "unknown"

const deviceOf = (text: string, os: Browser["os"]): Browser["device"] => {
  if (text.includes("ipad") || text.includes("tablet")) return "tablet"
  if (text.includes("mobi")) return "mobile"
  if (os === "android") return "tablet"
  return os === "unknown" ? "unknown" : "desktop"
}

export const browserOf = (userAgent: string): Browser => {
  const text = userAgent.toLowerCase()
  const os = first(systems, text)
  return { browser: first(browsers, text), os, device: deviceOf(text, os) }
}
