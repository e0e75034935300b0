/** Highlights the current heading in the outline: the last heading above a third of the window's height. */
class Outline extends HTMLElement {
  #scrolling = new AbortController()

  disconnectedCallback(): void {
    this.#scrolling.abort()
  }

  connectedCallback(): void {
    this.#scrolling = new AbortController()
    const links = [...this.querySelectorAll<HTMLAnchorElement>("a")]
    const headings = links.map(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))))
    let currentLink: HTMLAnchorElement | undefined
    let isScheduled = false
    const updateCurrent = () => {
      isScheduled = false
      const threshold = innerHeight / 3
      const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0
      const index = isAtEnd
        ? headings.length - 1
        : headings.findLastIndex((heading) => heading && heading.getBoundingClientRect().top < threshold)
      const link = links[Math.max(index, 0)]
      if (link === currentLink) return
      currentLink?.removeAttribute("aria-current")
      link?.setAttribute("aria-current", "true")
      currentLink = link
      if (link && this.scrollHeight > this.clientHeight) {
        this.scrollTo({ top: link.offsetTop - this.clientHeight / 2 })
      }
    }
    addEventListener(
      "scroll",
      () => {
        if (isScheduled) return
        isScheduled = true
        requestAnimationFrame(updateCurrent)
      },
      { passive: true, signal: this.#scrolling.signal }
    )
    updateCurrent()
  }
}

export const define = (): void => customElements.define("lectern-outline", Outline)
