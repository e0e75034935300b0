/**
 * Renders the diagrams of a page. One sandboxed frame renders all of them, and the page shows the results as images. A
 * diagram that fails stays source text.
 */
interface RenderedDiagram {
  readonly id: number
  readonly svg?: string
  readonly width?: number
  readonly height?: number
  readonly description?: string
}

/** Maximum time without a result (ms). Diagrams without a result then stay source text. */
const timeoutMs = 30_000

const root = document.documentElement
const darkQuery = matchMedia("(prefers-color-scheme:dark)")
const isDark = () => (root.dataset["theme"] ?? (darkQuery.matches ? "dark" : "light")) === "dark"

const diagrams = [...document.querySelectorAll<HTMLElement>("lectern-diagram")]
const sourceOf = (diagram: HTMLElement) => diagram.querySelector("code")!.textContent
const setState = (diagram: HTMLElement, state: "drawn" | "failed") => {
  diagram.dataset["state"] = state
  diagram.querySelector("details")!.open = state === "failed"
}

const { dataset } = document.querySelector<HTMLElement>("script[data-frame]")!
const frame = document.createElement("iframe")
frame.src = dataset["frame"]!
frame.sandbox.add("allow-scripts")
if (dataset["keepsOrigin"] !== undefined) frame.sandbox.add("allow-same-origin")
frame.title = diagrams[0]!.dataset["label"]!
frame.ariaHidden = "true"
frame.tabIndex = -1
frame.className = "drawing-frame"

let isDarkRendered: boolean
let timer: ReturnType<typeof setTimeout>

const restartTimeout = () => {
  clearTimeout(timer)
  timer = setTimeout(() => {
    for (const diagram of diagrams) if (!diagram.dataset["state"]) setState(diagram, "failed")
  }, timeoutMs)
}

/** Creates an image of a diagram with a link that enlarges it, as for images of pages. */
const createImageLink = (diagram: HTMLElement, { svg, width, height, description }: RenderedDiagram): HTMLElement => {
  const link = document.createElement("a")
  const image = document.createElement("img")
  link.className = "zoom"
  link.href = image.src = `data:image/svg+xml,${encodeURIComponent(svg!)}`
  image.width = Math.ceil(width!)
  image.height = Math.ceil(height!)
  image.alt = `${diagram.dataset["label"]}: ${description}`
  link.ariaLabel = `${diagram.dataset["enlarge"]}: ${image.alt}`
  link.append(image)
  return link
}

const renderAll = () => {
  isDarkRendered = isDark()
  for (const [id, diagram] of diagrams.entries()) {
    frame.contentWindow!.postMessage({ id, source: sourceOf(diagram), isDark: isDarkRendered }, "*")
  }
  restartTimeout()
}

addEventListener("message", ({ source, data }: MessageEvent<RenderedDiagram | "ready">) => {
  if (source !== frame.contentWindow) return
  if (data === "ready") return renderAll()
  const diagram = diagrams[data.id]
  if (diagram === undefined) return
  restartTimeout()
  if (data.svg === undefined) return setState(diagram, "failed")
  const previousImage = diagram.querySelector("a.zoom")
  const imageLink = createImageLink(diagram, data)
  if (previousImage === null) {
    diagram.prepend(imageLink)
    setState(diagram, "drawn")
  } else previousImage.replaceWith(imageLink)
})

const updateMode = () => {
  if (isDarkRendered !== undefined && isDarkRendered !== isDark()) renderAll()
}
darkQuery.addEventListener("change", updateMode)
new MutationObserver(updateMode).observe(root, { attributeFilter: ["data-theme"] })

document.body.append(frame)
restartTimeout()
