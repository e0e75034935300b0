/**
 * Renders the diagrams of a page. One sandboxed frame renders all of them, and the page shows the results as images. A
 * diagram that fails stays source text.
 */
interface Drawn {
  readonly id: number
  readonly svg?: string
  readonly width?: number
  readonly height?: number
  readonly told?: string
}

/** Maximum time without a result (ms). Diagrams without a result then stay source text. */
const patience = 30_000

const root = document.documentElement
const inDark = matchMedia("(prefers-color-scheme:dark)")
const isDark = () => (root.dataset["theme"] ?? (inDark.matches ? "dark" : "light")) === "dark"

const diagrams = [...document.querySelectorAll<HTMLElement>("lectern-diagram")]
const sourceOf = (diagram: HTMLElement) => diagram.querySelector("code")!.textContent
const set = (diagram: HTMLElement, state: "drawn" | "failed") => {
  diagram.dataset["state"] = state
  diagram.querySelector("details")!.open = state === "failed"
}

const frame = document.createElement("iframe")
frame.src = document.querySelector<HTMLElement>("script[data-frame]")!.dataset["frame"]!
frame.sandbox.add("allow-scripts")
frame.title = diagrams[0]!.dataset["label"]!
frame.ariaHidden = "true"
frame.tabIndex = -1
frame.className = "drawing-frame"

let shown: boolean
let timer: ReturnType<typeof setTimeout>

const wait = () => {
  clearTimeout(timer)
  timer = setTimeout(() => {
    for (const diagram of diagrams) if (!diagram.dataset["state"]) set(diagram, "failed")
  }, patience)
}

/** Creates an image of a diagram with a link that enlarges it, as for images of pages. */
const picture = (diagram: HTMLElement, { svg, width, height, told }: Drawn): HTMLElement => {
  const link = document.createElement("a")
  const image = document.createElement("img")
  link.className = "zoom"
  link.href = image.src = `data:image/svg+xml,${encodeURIComponent(svg!)}`
  image.width = Math.ceil(width!)
  image.height = Math.ceil(height!)
  image.alt = `${diagram.dataset["label"]}: ${told}`
  link.ariaLabel = `${diagram.dataset["enlarge"]}: ${image.alt}`
  link.append(image)
  return link
}

const show = () => {
  shown = isDark()
  for (const [id, diagram] of diagrams.entries()) {
    frame.contentWindow!.postMessage({ id, source: sourceOf(diagram), isDark: shown }, "*")
  }
  wait()
}

addEventListener("message", ({ source, data }: MessageEvent<Drawn | "ready">) => {
  if (source !== frame.contentWindow) return
  if (data === "ready") return show()
  const diagram = diagrams[data.id]
  if (diagram === undefined) return
  wait()
  if (data.svg === undefined) return set(diagram, "failed")
  const before = diagram.querySelector("a.zoom")
  const drawn = picture(diagram, data)
  if (before === null) {
    diagram.prepend(drawn)
    set(diagram, "drawn")
  } else before.replaceWith(drawn)
})

const follow = () => {
  if (shown !== undefined && shown !== isDark()) show()
}
inDark.addEventListener("change", follow)
new MutationObserver(follow).observe(root, { attributeFilter: ["data-theme"] })

document.body.append(frame)
wait()
