/**
 * Program of the sandboxed frame, which can load only its own files. Renders the diagrams that the page sends, one at a
 * time, and returns each as an SVG image. Only this image gets into the page.
 */
import mermaid from "mermaid"

interface Wanted {
  readonly id: number
  readonly source: string
  readonly isDark: boolean
}

const font = `ui-sans-serif,system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif`

/** Returns the type of a diagram as a word: `flowchart-v2` is `flowchart`. */
const kindOf = (source: string): string => mermaid.detectType(source).replace(/-v\d+$/, "")

const draw = async ({ id, source, isDark }: Wanted) => {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    // Not all browsers display HTML in an SVG image.
    htmlLabels: false,
    theme: isDark ? "dark" : "default",
    fontFamily: font
  })
  try {
    const { svg } = await mermaid.render(`diagram-${id}`, source)
    document.body.innerHTML = svg
    const drawn = document.body.querySelector("svg")!
    const { width, height } = drawn.viewBox.baseVal
    if (!(width > 0 && height > 0)) throw new Error("It has no size")
    drawn.setAttribute("width", String(width))
    drawn.setAttribute("height", String(height))
    const told = [...drawn.querySelectorAll(":scope > title, :scope > desc")].map((one) => one.textContent.trim())
    const text = new XMLSerializer().serializeToString(drawn)
    return { id, svg: text, width, height, told: told.filter(Boolean).join(". ") || kindOf(source) }
  } catch (failure) {
    return { id, failure: failure instanceof Error ? failure.message : String(failure) }
  } finally {
    document.body.replaceChildren()
  }
}

let drawing = Promise.resolve()

addEventListener("message", ({ source, data }: MessageEvent<Wanted>) => {
  if (source !== parent) return
  drawing = drawing.then(async () => parent.postMessage(await draw(data), "*"))
})
parent.postMessage("ready", "*")
