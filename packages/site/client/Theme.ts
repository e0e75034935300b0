/**
 * Switch between light and dark mode. Only a choice that differs from the site's mode is stored, since the site's mode
 * may change.
 */
const root = document.documentElement
const darkQuery = matchMedia("(prefers-color-scheme:dark)")

const systemMode = () => (darkQuery.matches ? "dark" : "light")

class Theme extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener("click", () => {
      const siteMode = root.dataset["site"] ?? ""
      const nextMode = (root.dataset["theme"] ?? systemMode()) === "dark" ? "light" : "dark"
      if (nextMode === (siteMode || systemMode())) {
        localStorage.removeItem("lectern-theme")
        if (siteMode) root.dataset["theme"] = siteMode
        else delete root.dataset["theme"]
      } else {
        localStorage.setItem("lectern-theme", nextMode)
        root.dataset["theme"] = nextMode
      }
    })
  }
}

export const define = (): void => customElements.define("lectern-theme", Theme)
