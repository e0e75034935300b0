/**
 * Tabs with equal titles switch together, on this page and on pages opened later. A link to a tab, or to an element in
 * a tab, opens the tab.
 */
const storageKey = "lectern-tabs"

const maxTitles = 20

const titleOf = (radio: HTMLInputElement): string => radio.closest("label")?.textContent?.trim() ?? ""

const readTitles = (): ReadonlyArray<string> => {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? "[]") as ReadonlyArray<string>
  } catch {
    return []
  }
}

const storeTitle = (title: string): void => {
  try {
    localStorage.setItem(
      storageKey,
      JSON.stringify([title, ...readTitles().filter((other) => other !== title)].slice(0, maxTitles))
    )
  } catch {
    // Storage is disabled or full.
  }
}

/** Returns the radio buttons of a group, without those of groups nested in its panels. */
const radiosOf = (group: Element): ReadonlyArray<HTMLInputElement> => [
  ...group.querySelectorAll<HTMLInputElement>(":scope > label > input[type=radio]")
]

/** Returns the element that the URL's fragment names. */
const fragmentTarget = (): Element | null => {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)))
  } catch {
    // The fragment is not valid percent-encoding.
    return null
  }
}

/**
 * Opens the tabs that contain the element of the URL's fragment. Browsers open `details` elements on their own, but not
 * tabs.
 */
const revealFragmentTarget = (): void => {
  const element = fragmentTarget()
  let hasOpened = false
  for (let ancestor = element; ancestor !== null; ancestor = ancestor.parentElement) {
    const label = ancestor.matches("lectern-tabs > .panel") ? ancestor.previousElementSibling : ancestor
    const radio = label?.matches(".tab") ? label.querySelector("input") : null
    if (radio === null || radio.checked) continue
    radio.checked = true
    hasOpened = true
  }
  if (hasOpened) element?.scrollIntoView()
}

class Tabs extends HTMLElement {
  connectedCallback(): void {
    const radios = radiosOf(this)
    const titles = radios.map(titleOf)
    const storedTitle = readTitles().find((title) => titles.includes(title))
    const storedRadio = storedTitle === undefined ? undefined : radios[titles.indexOf(storedTitle)]
    if (storedRadio) storedRadio.checked = true
    this.addEventListener("change", (event) => {
      const radio = event.target as HTMLInputElement
      if (!radios.includes(radio)) return
      const title = titleOf(radio)
      const topBefore = this.getBoundingClientRect().top
      storeTitle(title)
      for (const group of document.querySelectorAll("lectern-tabs")) {
        if (group === this) continue
        const matchingRadio = radiosOf(group).find((radio) => titleOf(radio) === title)
        if (matchingRadio) matchingRadio.checked = true
      }
      // Switching changes the height of groups above. Scrolling keeps the reader's group in place.
      scrollBy({ top: this.getBoundingClientRect().top - topBefore, behavior: "instant" })
    })
  }
}

export const define = (): void => {
  customElements.define("lectern-tabs", Tabs)
  revealFragmentTarget()
  addEventListener("hashchange", revealFragmentTarget)
}
