/**
 * Tabs with equal titles switch together, on this page and on pages opened later. A link to a tab, or to an element in
 * a tab, opens the tab.
 */
const key = "lectern-tabs"

const most = 20

const titleOf = (radio: HTMLInputElement): string => radio.closest("label")?.textContent?.trim() ?? ""

const read = (): ReadonlyArray<string> => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "[]") as ReadonlyArray<string>
  } catch {
    return []
  }
}

const keep = (title: string): void => {
  try {
    localStorage.setItem(key, JSON.stringify([title, ...read().filter((one) => one !== title)].slice(0, most)))
  } catch {
    // Storage is disabled or full.
  }
}

/** Returns the radio buttons of a group, without those of groups nested in its panels. */
const radiosOf = (group: Element): ReadonlyArray<HTMLInputElement> => [
  ...group.querySelectorAll<HTMLInputElement>(":scope > label > input[type=radio]")
]

/** Returns the element that the URL's fragment names. */
const target = (): Element | null => {
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
const reveal = (): void => {
  const wanted = target()
  let isHidden = false
  for (let around = wanted; around !== null; around = around.parentElement) {
    const label = around.matches("lectern-tabs > .panel") ? around.previousElementSibling : around
    const radio = label?.matches(".tab") ? label.querySelector("input") : null
    if (radio === null || radio.checked) continue
    radio.checked = true
    isHidden = true
  }
  if (isHidden) wanted?.scrollIntoView()
}

class Tabs extends HTMLElement {
  connectedCallback(): void {
    const radios = radiosOf(this)
    const titles = radios.map(titleOf)
    const last = read().find((title) => titles.includes(title))
    const chosen = last === undefined ? undefined : radios[titles.indexOf(last)]
    if (chosen) chosen.checked = true
    this.addEventListener("change", (event) => {
      const radio = event.target as HTMLInputElement
      if (!radios.includes(radio)) return
      const title = titleOf(radio)
      const before = this.getBoundingClientRect().top
      keep(title)
      for (const group of document.querySelectorAll("lectern-tabs")) {
        if (group === this) continue
        const same = radiosOf(group).find((one) => titleOf(one) === title)
        if (same) same.checked = true
      }
      // Switching changes the height of groups above. Scrolling keeps the reader's group in place.
      scrollBy({ top: this.getBoundingClientRect().top - before, behavior: "instant" })
    })
  }
}

export const define = (): void => {
  customElements.define("lectern-tabs", Tabs)
  reveal()
  addEventListener("hashchange", reveal)
}
