/**
 * Tabs of the same titles switch together, on this page and on those that are read later. A link to a tab, or to
 * something in one, opens it.
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
    // The browser keeps nothing for this site.
  }
}

/** The radio buttons of a group, and not those of groups within its panels. */
const radiosOf = (group: Element): ReadonlyArray<HTMLInputElement> => [
  ...group.querySelectorAll<HTMLInputElement>(":scope > label > input[type=radio]")
]

/** Element that the URL leads to. */
const target = (): Element | null => {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)))
  } catch {
    // Not everything behind `#` is the name of something.
    return null
  }
}

/** Opens the tabs around what the URL leads to. A browser opens what expands, but no tabs. */
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
      // Groups above are as high as their panels: the reader's stays in place.
      scrollBy({ top: this.getBoundingClientRect().top - before, behavior: "instant" })
    })
  }
}

export const define = (): void => {
  customElements.define("lectern-tabs", Tabs)
  reveal()
  addEventListener("hashchange", reveal)
}
