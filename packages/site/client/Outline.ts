/** Highlights the current heading in the outline: the last heading above a third of the window's height. */
class Outline extends HTMLElement {
  connectedCallback(): void {
    const links = [...this.querySelectorAll<HTMLAnchorElement>("a")]
    const headings = links.map(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))))
    let shown: HTMLAnchorElement | undefined
    let isWaiting = false
    const follow = () => {
      isWaiting = false
      const line = innerHeight / 3
      const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0
      const at = isAtEnd
        ? headings.length - 1
        : headings.findLastIndex((heading) => heading && heading.getBoundingClientRect().top < line)
      const link = links[Math.max(at, 0)]
      if (link === shown) return
      shown?.removeAttribute("aria-current")
      link?.setAttribute("aria-current", "true")
      shown = link
      if (link && this.scrollHeight > this.clientHeight) {
        this.scrollTo({ top: link.offsetTop - this.clientHeight / 2 })
      }
    }
    addEventListener(
      "scroll",
      () => {
        if (isWaiting) return
        isWaiting = true
        requestAnimationFrame(follow)
      },
      { passive: true }
    )
    follow()
  }
}

export const define = (): void => customElements.define("lectern-outline", Outline)
