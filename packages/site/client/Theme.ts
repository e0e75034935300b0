/**
 * Switch between light and dark mode. Only a choice that differs from the site's mode is stored, since the site's mode
 * may change.
 */
const root = document.documentElement
const inDark = matchMedia("(prefers-color-scheme:dark)")

const ofSystem = () => (inDark.matches ? "dark" : "light")

class Theme extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener("click", () => {
      const own = root.dataset["site"] ?? ""
      const wanted = (root.dataset["theme"] ?? ofSystem()) === "dark" ? "light" : "dark"
      if (wanted === (own || ofSystem())) {
        localStorage.removeItem("lectern-theme")
        if (own) root.dataset["theme"] = own
        else delete root.dataset["theme"]
      } else {
        localStorage.setItem("lectern-theme", wanted)
        root.dataset["theme"] = wanted
      }
    })
  }
}

export const define = (): void => customElements.define("lectern-theme", Theme)
