/**
 * Program of the sandboxed frame, which can load only its own files. Renders the diagrams that the page sends, one at a
 * time, and returns each as an SVG image. Only this image gets into the page.
 */
import mermaid from "mermaid"

interface DiagramRequest {
  readonly id: number
  readonly source: string
  readonly isDark: boolean
}

const font = `ui-sans-serif,system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif`

/** Returns the type of a diagram as a word: `flowchart-v2` is `flowchart`. */
const diagramType = (source: string): string => mermaid.detectType(source).replace(/-v\d+$/, "")

const renderDiagram = async ({ id, source, isDark }: DiagramRequest) => {
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
    const svgElement = document.body.querySelector("svg")!
    const { width, height } = svgElement.viewBox.baseVal
    if (!(width > 0 && height > 0)) throw new Error("It has no size")
    svgElement.setAttribute("width", String(width))
    svgElement.setAttribute("height", String(height))
    const descriptions = [...svgElement.querySelectorAll(":scope > title, :scope > desc")].map((element) =>
      element.textContent.trim()
    )
    const text = new XMLSerializer().serializeToString(svgElement)
    return { id, svg: text, width, height, description: descriptions.filter(Boolean).join(". ") || diagramType(source) }
  } catch (failure) {
    return { id, failure: failure instanceof Error ? failure.message : String(failure) }
  } finally {
    document.body.replaceChildren()
  }
}

let queue = Promise.resolve()

addEventListener("message", ({ source, data }: MessageEvent<DiagramRequest>) => {
  if (source !== parent) return
  queue = queue.then(async () => parent.postMessage(await renderDiagram(data), "*"))
})
parent.postMessage("ready", "*")
