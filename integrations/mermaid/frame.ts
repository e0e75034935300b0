/**
 * Script of the frame: renders the diagram that the parent page sends, reports its size, and renders it again when the
 * reader's colour scheme changes. An invalid diagram is displayed as source with the error.
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
let lastRendering = Promise.resolve()

const send = (action: object) => parent.postMessage({ action }, "*")

const element = (name: string, attributes: { readonly [name: string]: string }, text = "") => {
  const created = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value)
  created.textContent = text
  return created
}

/** Returns the kind of a diagram without its version: `flowchart` for `flowchart-v2`. */
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
    const renderedSvg = main.querySelector("svg")!
    // The author's title of the diagram takes precedence.
    if (!renderedSvg.hasAttribute("aria-labelledby"))
      renderedSvg.setAttribute("aria-label", `Diagram: ${kindOf(source)}`)
    renderedSvg.setAttribute("aria-details", "source")
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

/** Renders the latest source after the current rendering. Skips outdated sources. */
const redraw = () => {
  const latestContent = content
  if (latestContent === undefined) return
  lastRendering = lastRendering.then(() => (latestContent === content ? draw(latestContent) : undefined))
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
