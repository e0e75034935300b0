/**
 * Runs in a frame of its own, which reaches nothing but these files: draws what the page around it sends, one diagram
 * after the other, and sends each back as a picture. Nothing of a diagram gets into the page but that picture.
 */
import mermaid from "mermaid"

interface Wanted {
  readonly id: number
  readonly source: string
  readonly isDark: boolean
}

const font = `ui-sans-serif,system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif`

/** Kind of a diagram, in words: `flowchart-v2` is a flowchart. */
const kindOf = (source: string): string => mermaid.detectType(source).replace(/-v\d+$/, "")

const draw = async ({ id, source, isDark }: Wanted) => {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    // A picture shows no HTML in all browsers.
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
