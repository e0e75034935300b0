/** Element that loads content of another website when the reader clicks it. */
class Embed extends HTMLElement {
  connectedCallback(): void {
    const { frame } = this.dataset
    const link = this.querySelector("a")
    if (frame === undefined || link === null) return
    link.addEventListener("click", (event) => {
      event.preventDefault()
      const element = document.createElement("iframe")
      element.src = frame
      element.title = link.textContent ?? ""
      element.allow = "fullscreen; picture-in-picture; encrypted-media"
      element.allowFullscreen = true
      // The content may run, but not navigate this page.
      element.sandbox.add("allow-scripts", "allow-same-origin", "allow-popups", "allow-forms", "allow-presentation")
      element.referrerPolicy = "strict-origin-when-cross-origin"
      this.replaceChildren(element)
      element.focus()
    })
  }
}

export const define = (): void => customElements.define("lectern-embed", Embed)
