/**
 * Dialog that shows results as the reader types. Ctrl-K, ⌘K or `/` opens it. The server renders the results, or the
 * program in `data-script` on a static site. Arrow keys move between results, and Enter opens the first result. Before the reader types, the dialog lists pages that the reader
 * opened from it, and pages near the displayed one.
 */
const debounceMs = 110
const maxRecent = 6
const maxSuggested = 5

interface ListedPage {
  readonly title: string
  readonly url: string
}

/** Returns the next page, then the top level of the tree and the neighbors of the displayed page, in the order of the tree. */
const nearbyPages = (): ReadonlyArray<ListedPage> => {
  const links = document.querySelectorAll<HTMLAnchorElement>(
    ".pagination .next, [data-tree] ul:has(> li > [aria-current]) > li > a, [data-tree] > ul > li > a"
  )
  const byUrl = new Map<string, ListedPage>()
  for (const link of links) {
    const url = link.pathname + link.hash
    const title = (link.querySelector("strong, span:last-child") ?? link).textContent ?? ""
    if (link.origin === location.origin && link.pathname !== location.pathname) byUrl.set(url, { title, url })
  }
  return [...byUrl.values()]
}

const renderWith = async (script: string, query: string): Promise<string> => {
  const { render } = (await import(script)) as { readonly render: (query: string) => Promise<string> }
  return render(query)
}

/** Shows the results of the query in the URL of a static page of results. */
const showQueryOfPage = async (script: string) => {
  const results = document.querySelector("[data-results]")
  const query = new URLSearchParams(location.search).get("q")
  if (results === null || query === null) return
  document.querySelector<HTMLInputElement>(".search-page [type=search]")!.value = query
  results.innerHTML = await renderWith(script, query)
}

class Search extends HTMLElement {
  connectedCallback(): void {
    const { script } = this.dataset
    if (script !== undefined) void showQueryOfPage(script)
    const dialog = this.querySelector("dialog")!
    const form = dialog.querySelector("form")!
    const field = form.querySelector<HTMLInputElement>("[type=search]")!
    const results = dialog.querySelector<HTMLElement>(".search-results")!
    const statusElement = dialog.querySelector<HTMLElement>(".search-told")!
    const headerField = this.querySelector<HTMLInputElement>(":scope > form [type=search]")!
    const key = `lectern-recent ${form.action}`
    let request: AbortController | undefined
    /** URL of the displayed results; undefined if no results are displayed. */
    let displayedUrl: string | undefined
    let reportedQuery = ""
    let timer: ReturnType<typeof setTimeout> | undefined

    /** Reports the final query, and the result that was opened, if any. */
    const reportQuery = (openedUrl = "") => {
      const query = field.value.trim()
      if (script !== undefined || query === "" || query === reportedQuery) return
      reportedQuery = query
      navigator.sendBeacon(form.action, new URLSearchParams({ q: query, opened: openedUrl }))
    }

    const resultLinks = () => [...results.querySelectorAll<HTMLAnchorElement>("a")]

    const recentPages = (): ReadonlyArray<ListedPage> => {
      try {
        return JSON.parse(localStorage.getItem(key) ?? "[]") as ReadonlyArray<ListedPage>
      } catch {
        return []
      }
    }

    const clearResults = () => {
      displayedUrl = undefined
      results.replaceChildren()
      statusElement.textContent = ""
    }

    const showPages = () => {
      clearResults()
      results.append(dialog.querySelector("template")!.content.cloneNode(true))
      const recent = recentPages()
      const suggested = nearbyPages().filter((page) => recent.every(({ url }) => url !== page.url))
      for (const pages of [recent, suggested.slice(0, maxSuggested)]) {
        const list = results.querySelector("ul:empty")!
        list.append(
          ...pages.map(({ title, url }) => {
            const item = document.createElement("li")
            const link = document.createElement("a")
            link.className = "found-page"
            link.href = url
            link.textContent = title
            item.append(link)
            return item
          })
        )
        if (pages.length === 0) {
          list.previousElementSibling!.remove()
          list.remove()
        }
      }
    }

    const loadResults = async (url: string, signal: AbortSignal): Promise<string> => {
      if (script !== undefined) return renderWith(script, field.value)
      const response = await fetch(url, { signal })
      if (!response.ok) throw new Error(response.statusText)
      return response.text()
    }

    const resultsUrl = () => {
      const url = new URL(form.action)
      for (const [name, value] of new FormData(form)) url.searchParams.set(name, String(value))
      url.searchParams.set("part", "results")
      return url.href
    }

    /** Shows results; the result is false if a later request aborted this one. */
    const showResults = async () => {
      request?.abort()
      clearTimeout(timer)
      if (field.value.trim() === "") {
        showPages()
        return true
      }
      const { signal } = (request = new AbortController())
      const url = resultsUrl()
      try {
        const text = await loadResults(url, signal)
        if (signal.aborted) return false
        results.innerHTML = text
        results.scrollTop = 0
        statusElement.textContent = results.querySelector(".found-count")?.textContent ?? ""
        displayedUrl = url
      } catch {
        // The displayed results belong to an earlier query.
        if (!signal.aborted) clearResults()
      }
      return !signal.aborted
    }

    const openDialog = () => {
      if (dialog.open) return
      field.value = headerField.value
      reportedQuery = ""
      dialog.showModal()
      field.select()
      void showResults()
    }

    const isMac = /Mac|iP/.test(navigator.platform)
    const hint = this.querySelector("kbd")
    if (hint && isMac) hint.textContent = "⌘ K"

    headerField.form!.addEventListener("click", openDialog)
    headerField.addEventListener("input", openDialog)
    headerField.form!.addEventListener("submit", (event) => {
      event.preventDefault()
      openDialog()
    })
    this.querySelector(".search-link")!.addEventListener("click", (event) => {
      event.preventDefault()
      openDialog()
    })
    addEventListener("keydown", (event) => {
      const { key, target } = event
      const isTyping =
        target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
      if ((key.toLowerCase() === "k" && (isMac ? event.metaKey : event.ctrlKey)) || (key === "/" && !isTyping)) {
        event.preventDefault()
        openDialog()
      }
    })

    field.addEventListener("input", () => {
      clearTimeout(timer)
      timer = setTimeout(showResults, debounceMs)
    })
    form.addEventListener("change", (event) => {
      if (event.target !== field) void showResults()
    })
    form.addEventListener("submit", async (event) => {
      event.preventDefault()
      // A fast reader may press Enter before the results arrive.
      if (displayedUrl !== resultsUrl() && !(await showResults())) return
      const [firstLink] = resultLinks()
      if (firstLink === undefined) form.submit()
      else firstLink.click()
    })
    dialog.addEventListener("click", ({ target }) => {
      if (target === dialog || (target as Element).closest("[value=close]")) dialog.close()
    })
    dialog.addEventListener("close", () => {
      request?.abort()
      reportQuery()
      headerField.value = ""
    })
    dialog.addEventListener("keydown", (event) => {
      // Arrow keys select a suggestion of an input method.
      if (event.isComposing) return
      const all = resultLinks()
      const index = all.indexOf(document.activeElement as HTMLAnchorElement)
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
      if (step !== 0 && (event.target as HTMLElement).getAttribute("type") !== "radio") {
        event.preventDefault()
        ;(all[index + step] ?? (step < 0 ? field : all.at(-1)))?.focus()
      } else if (
        index !== -1 &&
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
      reportQuery(url)
      try {
        localStorage.setItem(
          key,
          JSON.stringify([{ title, url }, ...recentPages().filter((entry) => entry.url !== url)].slice(0, maxRecent))
        )
      } catch {
        // Storage is disabled or full.
      }
      dialog.close()
    })
  }
}

export const define = (): void => customElements.define("lectern-search", Search)
