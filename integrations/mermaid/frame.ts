/**
 * Runs in the frame: draws what the page around it sends, says how large that is, and draws it again where
 * the reader's colours change. What can't be drawn is shown as it was written, with what is wrong.
 */
interface Mermaid {
  readonly initialize: (options: object) => void
  readonly detectType: (content: string) => string
  readonly render: (id: string, content: string) => Promise<{ readonly svg: string }>
}

declare const mermaid: Mermaid

const main = document.querySelector("main")!
const dark = matchMedia("(prefers-color-scheme: dark)")
const isForced = new URLSearchParams(location.search).get("theme") === "dark"

let content: string | undefined
let drawing = Promise.resolve()

const send = (action: object) => parent.postMessage({ action }, "*")

const element = (name: string, attributes: { readonly [name: string]: string }, text = "") => {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.textContent = text
  return made
}

/** Kind of the diagram, in words: `flowchart-v2` is a flowchart. */
const kindOf = (source: string) => mermaid.detectType(source).replace(/-v\d+$/, "")

const measure = () => {
  const svg = main.querySelector("svg")
  const { width, height } = (svg ?? main).getBoundingClientRect()
  if (width > 0 && height > 0) {
    send({ action: "@webframe.resize", size: { aspectRatio: width / height, height: Math.ceil(height) } })
  }
}

const draw = async (source: string) => {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    theme: isForced || dark.matches ? "dark" : "default"
  })
  try {
    const { svg } = await mermaid.render("diagram", source)
    main.innerHTML = svg
    const drawn = main.querySelector("svg")!
    // A title that the author gave is there already.
    if (!drawn.hasAttribute("aria-labelledby")) drawn.setAttribute("aria-label", `Diagram: ${kindOf(source)}`)
    drawn.setAttribute("aria-details", "source")
    main.append(element("pre", { id: "source", class: "unseen" }, source))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    main.replaceChildren(
      element("pre", { role: "alert" }, `This diagram can't be drawn. ${message}`),
      element("pre", {}, source)
    )
  }
  measure()
}

/** One at a time, and of those that wait the last. */
const redraw = () => {
  const wanted = content
  if (wanted === undefined) return
  drawing = drawing.then(() => (wanted === content ? draw(wanted) : undefined))
}

addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
  const state = (data as { readonly state?: { readonly content?: unknown } } | null)?.state
  if (source !== parent || typeof state?.content !== "string") return
  content = state.content
  redraw()
})
addEventListener("resize", measure)
dark.addEventListener("change", redraw)
send({ action: "@webframe.ready" })
