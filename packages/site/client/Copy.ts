/** Element that copies text: `data-text`, the response of the URL `data-from`, or the code of its figure. */
import { blockRerendered } from "./BlockRerendered.ts"
import { copied, copy } from "./Messages.ts"

const textToCopy = async (element: HTMLElement): Promise<string> => {
  const { text, from } = element.dataset
  if (text !== undefined) return text
  if (from !== undefined) {
    const response = await fetch(from, { headers: { accept: "text/markdown" } })
    if (!response.ok) throw new Error(response.statusText)
    return response.text()
  }
  const code = element.closest("figure")?.querySelector("code")?.cloneNode(true) as HTMLElement | undefined
  // Deleted lines of a diff are not copied.
  for (const line of code?.querySelectorAll(".removed") ?? []) line.remove()
  return (code?.textContent ?? "").replace(/\n$/, "")
}

/**
 * Writes text to the clipboard. Without TLS, browsers offer no clipboard API, and they may deny it with TLS. The
 * fallback copies the selection of a temporary text area.
 */
const copyText = async (text: string, container: HTMLElement): Promise<void> => {
  try {
    return await navigator.clipboard.writeText(text)
  } catch {
    const textArea = document.createElement("textarea")
    const focusedElement = document.activeElement as HTMLElement | null
    textArea.value = text
    textArea.style.position = "fixed"
    container.append(textArea)
    textArea.select()
    const isCopied = document.execCommand("copy")
    textArea.remove()
    focusedElement?.focus()
    if (!isCopied) throw new Error("Nothing could be copied")
  }
}

class Copy extends HTMLElement {
  connectedCallback(): void {
    const label = this.querySelector("span")
    const defaultLabel = label?.textContent ?? ""
    let timer: ReturnType<typeof setTimeout> | undefined
    this.addEventListener("click", async () => {
      await copyText(await textToCopy(this), this)
      if (label !== null) label.textContent = copied
      this.toggleAttribute("data-copied", true)
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (label !== null) label.textContent = defaultLabel
        this.removeAttribute("data-copied")
      }, 1600)
    })
  }
}

/**
 * Defines the element, and adds a copy button to code blocks. Does so again when a block of an integration is rendered
 * again.
 */
export const define = (): void => {
  customElements.define("lectern-copy", Copy)
  addCopyButtons(document)
  document.addEventListener(blockRerendered, ({ target }) => addCopyButtons(target as Element))
}

const addCopyButtons = (root: ParentNode): void => {
  for (const code of root.querySelectorAll("figure.code")) {
    if (code.querySelector("lectern-copy") === null) code.append(createButton())
  }
}

const createButton = (): HTMLElement => {
  const element = document.createElement("lectern-copy")
  const button = document.createElement("button")
  const label = document.createElement("span")
  button.type = "button"
  label.textContent = copy
  button.append(label)
  element.append(button)
  return element
}
