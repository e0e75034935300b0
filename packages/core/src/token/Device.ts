/**
 * Short words for the browser and the system of a client, such as `Firefox on Linux`, so that a user recognizes a
 * session. `User-Agent` is a claim of the client: the words are shown and decide nothing.
 */

const maxUserAgent = 512

/** Names by a part of `User-Agent`. The first match counts, since browsers name those that they imitate. */
const browsers: ReadonlyArray<readonly [part: RegExp, name: string]> = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/\bcurl\//, "curl"]
]

const systems: ReadonlyArray<readonly [part: RegExp, name: string]> = [
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac(?:intosh| OS)\b/, "macOS"],
  [/\bLinux\b/, "Linux"]
]

const nameIn = (names: typeof browsers, text: string) => names.find(([part]) => part.test(text))?.[1]

/** Returns the words for a `User-Agent` header. Undefined if neither browser nor system are known. */
export const deviceOf = (userAgent: string | undefined): string | undefined => {
  const text = userAgent?.slice(0, maxUserAgent) ?? ""
  const [browser, system] = [nameIn(browsers, text), nameIn(systems, text)]
  return browser === undefined || system === undefined ? (browser ?? system) : `${browser} on ${system}`
}
