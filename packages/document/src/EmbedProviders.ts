/**
 * Websites whose content is displayed in a frame, and the URLs of their frames. A frame URL is built from parts of the
 * embedded URL that match a pattern, without a network request.
 */

interface Provider {
  readonly name: string
  /** Hosts of the URLs that users copy. */
  readonly hosts: ReadonlyArray<string>
  /** Returns the URL of the frame; undefined if the content can't be displayed in a frame. */
  readonly frame: (url: URL) => string | undefined
  readonly shape?: "tall" | "low"
}

const safeId = (text: string | null | undefined): string | undefined =>
  text !== null && text !== undefined && /^[\w-]{1,100}$/.test(text) ? text : undefined

/** Builds the frame URL from the first path pattern that matches. `$1` and `$2` are replaced by its groups. */
const frameByPath =
  (pattern: RegExp, frame: string) =>
  ({ pathname }: URL): string | undefined => {
    const match = pattern.exec(pathname)
    return match === null ? undefined : frame.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? "")
  }

const youtube = (url: URL): string | undefined => {
  const videoId =
    url.hostname === "youtu.be"
      ? safeId(url.pathname.slice(1))
      : (safeId(url.searchParams.get("v")) ?? safeId(/^\/(?:embed|shorts|live)\/([\w-]+)/.exec(url.pathname)?.[1]))
  if (videoId === undefined) return undefined
  const start = /^\d{1,6}/.exec(url.searchParams.get("t") ?? url.searchParams.get("start") ?? "")?.[0]
  return `https://www.youtube-nocookie.com/embed/${videoId}?autoplay=1${start === undefined ? "" : `&start=${start}`}`
}

const providers: ReadonlyArray<Provider> = [
  { name: "YouTube", hosts: ["youtube.com", "m.youtube.com", "youtu.be", "youtube-nocookie.com"], frame: youtube },
  {
    name: "Vimeo",
    hosts: ["vimeo.com", "player.vimeo.com"],
    frame: frameByPath(
      /^\/(?:video\/|channels\/\w+\/)?(\d{1,15})/,
      "https://player.vimeo.com/video/$1?dnt=1&autoplay=1"
    )
  },
  {
    name: "Loom",
    hosts: ["loom.com"],
    frame: frameByPath(/^\/(?:share|embed)\/([0-9a-f]{10,64})/, "https://www.loom.com/embed/$1?autoplay=1")
  },
  {
    name: "Dailymotion",
    hosts: ["dailymotion.com"],
    frame: frameByPath(/^\/(?:embed\/)?video\/(\w{1,20})/, "https://geo.dailymotion.com/player.html?video=$1")
  },
  {
    name: "Figma",
    hosts: ["figma.com", "embed.figma.com"],
    frame: frameByPath(
      /^\/(file|design|proto|board|slides)\/(\w{10,64})/,
      "https://embed.figma.com/$1/$2?embed-host=lectern"
    )
  },
  {
    name: "CodePen",
    hosts: ["codepen.io"],
    frame: frameByPath(/^\/([\w-]{1,64})\/(?:pen|embed|full|details)\/(\w{1,64})/, "https://codepen.io/$1/embed/$2")
  },
  {
    name: "CodeSandbox",
    hosts: ["codesandbox.io"],
    frame: frameByPath(/^\/(?:s|embed|p\/sandbox)\/([\w-]{1,100})/, "https://codesandbox.io/embed/$1")
  },
  {
    name: "StackBlitz",
    hosts: ["stackblitz.com"],
    frame: frameByPath(/^\/edit\/([\w-]{1,100})/, "https://stackblitz.com/edit/$1?embed=1")
  },
  {
    name: "Spotify",
    hosts: ["open.spotify.com"],
    frame: frameByPath(
      /^\/(?:intl-\w+\/)?(?:embed\/)?(track|album|playlist|episode|show|artist)\/(\w{1,64})/,
      "https://open.spotify.com/embed/$1/$2"
    ),
    shape: "low"
  },
  {
    name: "Miro",
    hosts: ["miro.com"],
    frame: frameByPath(/^\/app\/(?:board|live-embed)\/([\w=-]{1,64})/, "https://miro.com/app/live-embed/$1/")
  },
  {
    name: "Airtable",
    hosts: ["airtable.com"],
    frame: frameByPath(
      /^\/(?:embed\/)?((?:app\w{5,30}\/)?(?:shr|pag)\w{5,30}(?:\/form)?)/,
      "https://airtable.com/embed/$1"
    ),
    shape: "tall"
  },
  {
    name: "Google",
    hosts: ["docs.google.com"],
    frame: frameByPath(
      /^\/(document|spreadsheets|presentation|forms)\/d\/((?:e\/)?[\w-]{10,120})/,
      "https://docs.google.com/$1/d/$2/preview"
    ),
    shape: "tall"
  },
  {
    name: "Google Drive",
    hosts: ["drive.google.com"],
    frame: frameByPath(/^\/file\/d\/([\w-]{10,120})/, "https://drive.google.com/file/d/$1/preview")
  },
  {
    name: "Typeform",
    hosts: ["form.typeform.com"],
    frame: frameByPath(/^\/to\/(\w{1,32})/, "https://form.typeform.com/to/$1"),
    shape: "tall"
  }
]

const providerByHost: ReadonlyMap<string, Provider> = new Map(
  providers.flatMap((provider) => provider.hosts.map((host) => [host, provider] as const))
)

export interface Frame {
  /** Name of the provider. */
  readonly name: string
  readonly url: string
  /** Shape of the frame. Default: the shape of a video. */
  readonly shape: Provider["shape"]
}

/** Returns the frame of an embedded URL; undefined if its provider is unknown. */
export const frameOf = (href: string): Frame | undefined => {
  const url = URL.parse(href)
  const provider = url?.protocol === "https:" ? providerByHost.get(url.hostname.replace(/^www\./, "")) : undefined
  const frame = provider?.frame(url!)
  return frame === undefined ? undefined : { name: provider!.name, url: frame, shape: provider!.shape }
}

/** Origins of all frame URLs, for the content security policy. */
export const origins: ReadonlyArray<string> = [
  "https://www.youtube-nocookie.com",
  "https://player.vimeo.com",
  "https://www.loom.com",
  "https://geo.dailymotion.com",
  "https://embed.figma.com",
  "https://codepen.io",
  "https://codesandbox.io",
  "https://stackblitz.com",
  "https://open.spotify.com",
  "https://miro.com",
  "https://airtable.com",
  "https://docs.google.com",
  "https://drive.google.com",
  "https://form.typeform.com"
]
