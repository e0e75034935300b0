/**
 * Dialog that shows results as the reader types. Ctrl-K, ⌘K or `/` opens it. The server renders the results. Arrow keys
 * move between results, and Enter opens the first result.
 */
const pause = 110
const mostRecent = 6

interface Recent {
  readonly title: string
  readonly url: string
}

class Search extends HTMLElement {
  connectedCallback(): void {
    const dialog = this.querySelector("dialog")!
    const form = dialog.querySelector("form")!
    const field = form.querySelector<HTMLInputElement>("[type=search]")!
    const results = dialog.querySelector<HTMLElement>(".search-results")!
    const told = dialog.querySelector<HTMLElement>(".search-told")!
    const outside = this.querySelector<HTMLInputElement>(":scope > form [type=search]")!
    const key = `lectern-recent ${form.action}`
    let asked: AbortController | undefined
    /** URL of the displayed results; undefined if no results are displayed. */
    let shown: string | undefined
    let toldQuery = ""
    let timer: ReturnType<typeof setTimeout> | undefined

    /** Reports the final query, and the result that was opened, if any. */
    const tell = (opened = "") => {
      const query = field.value.trim()
      if (query === "" || query === toldQuery) return
      toldQuery = query
      navigator.sendBeacon(form.action, new URLSearchParams({ q: query, opened }))
    }

    const links = () => [...results.querySelectorAll<HTMLAnchorElement>("a")]

    const recent = (): ReadonlyArray<Recent> => {
      try {
        return JSON.parse(localStorage.getItem(key) ?? "[]") as ReadonlyArray<Recent>
      } catch {
        return []
      }
    }

    const clear = () => {
      shown = undefined
      results.replaceChildren()
      told.textContent = ""
    }

    const showRecent = () => {
      const all = recent()
      clear()
      if (all.length === 0) return
      results.append(dialog.querySelector("template")!.content.cloneNode(true))
      results.querySelector("ul")!.append(
        ...all.map(({ title, url }) => {
          const item = document.createElement("li")
          const link = document.createElement("a")
          link.className = "found-page"
          link.href = url
          link.textContent = title
          item.append(link)
          return item
        })
      )
    }

    const wanted = () => {
      const url = new URL(form.action)
      for (const [name, one] of new FormData(form)) url.searchParams.set(name, String(one))
      url.searchParams.set("part", "results")
      return url.href
    }

    /** Shows results; the result is false if a later request aborted this one. */
    const show = async () => {
      asked?.abort()
      clearTimeout(timer)
      if (field.value.trim() === "") {
        showRecent()
        return true
      }
      const { signal } = (asked = new AbortController())
      const url = wanted()
      try {
        const answer = await fetch(url, { signal })
        if (!answer.ok) throw new Error(answer.statusText)
        results.innerHTML = await answer.text()
        results.scrollTop = 0
        told.textContent = results.querySelector(".found-count")?.textContent ?? ""
        shown = url
      } catch {
        // The displayed results belong to an earlier query.
        if (!signal.aborted) clear()
      }
      return !signal.aborted
    }

    const open = () => {
      if (dialog.open) return
      field.value = outside.value
      toldQuery = ""
      dialog.showModal()
      field.select()
      void show()
    }

    const isMac = /Mac|iP/.test(navigator.platform)
    const hint = this.querySelector("kbd")
    if (hint && isMac) hint.textContent = "⌘ K"

    outside.form!.addEventListener("click", open)
    outside.addEventListener("input", open)
    outside.form!.addEventListener("submit", (event) => {
      event.preventDefault()
      open()
    })
    this.querySelector(".search-link")!.addEventListener("click", (event) => {
      event.preventDefault()
      open()
    })
    addEventListener("keydown", (event) => {
      const { key, target } = event
      const isTyping =
        target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
      if ((key.toLowerCase() === "k" && (isMac ? event.metaKey : event.ctrlKey)) || (key === "/" && !isTyping)) {
        event.preventDefault()
        open()
      }
    })

    field.addEventListener("input", () => {
      clearTimeout(timer)
      timer = setTimeout(show, pause)
    })
    form.addEventListener("change", (event) => {
      if (event.target !== field) void show()
    })
    form.addEventListener("submit", async (event) => {
      event.preventDefault()
      // A fast reader may press Enter before the results arrive.
      if (shown !== wanted() && !(await show())) return
      const [first] = links()
      if (first === undefined) form.submit()
      else first.click()
    })
    dialog.addEventListener("click", ({ target }) => {
      if (target === dialog || (target as Element).closest("[value=close]")) dialog.close()
    })
    dialog.addEventListener("close", () => {
      asked?.abort()
      tell()
      outside.value = ""
    })
    dialog.addEventListener("keydown", (event) => {
      // Arrow keys select a suggestion of an input method.
      if (event.isComposing) return
      const all = links()
      const at = all.indexOf(document.activeElement as HTMLAnchorElement)
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
      if (step !== 0 && (event.target as HTMLElement).getAttribute("type") !== "radio") {
        event.preventDefault()
        ;(all[at + step] ?? (step < 0 ? field : all.at(-1)))?.focus()
      } else if (
        at !== -1 &&
        (event.key.length === 1 || event.key === "Backspace") &&
        !event.ctrlKey &&
        !event.metaKey
      ) {
        field.focus()
      }
    })
    results.addEventListener("click", ({ target }) => {
      const link = (target as Element).closest("a")
      if (link === null) return
      const title = (link.querySelector("strong") ?? link).textContent ?? ""
      const { pathname, hash } = link
      const url = pathname + hash
      tell(url)
      try {
        localStorage.setItem(
          key,
          JSON.stringify([{ title, url }, ...recent().filter((one) => one.url !== url)].slice(0, mostRecent))
        )
      } catch {
        // Storage is disabled or full.
      }
      dialog.close()
    })
  }
}

export const define = (): void => customElements.define("lectern-search", Search)
