/**
 * Script of `lectern dev`. It replaces the parts of the page that differ from the current content, and lists the
 * problems of the folder. Scroll position, open tabs and open details stay. A page that needs other files, styles or
 * another policy is loaded again.
 */

interface Problem {
  readonly path: string
  readonly line?: number
  readonly message: string
  /** URL that opens the file in an editor. */
  readonly url?: string
}

interface State {
  /** Differs for each start of the server. */
  readonly start: string
  readonly version: number
  readonly problems: ReadonlyArray<Problem>
  readonly problemCount: number
}

const eventsUrl = document.querySelector<HTMLScriptElement>("script[data-events]")!.dataset["events"]!

/** Elements whose children are replaced one by one. */
const containers = "body, .frame"

let state: State | undefined
/** The document that the server sent last. Undefined before the first change. */
let lastDocument: Document | undefined
let lastPolicy: string | null = null
let isUpdating = false
let isOutdated = false

const follow = () => {
  if (document.visibilityState === "hidden") return
  const events = new EventSource(eventsUrl)
  events.addEventListener("message", ({ data }) => {
    const next = JSON.parse(data as string) as State
    const previous = state
    state = next
    showProblems(next)
    if (previous !== undefined && (previous.start !== next.start || previous.version !== next.version)) void update()
  })
  // Browsers open few connections to a host, so only visible pages have one.
  document.addEventListener(
    "visibilitychange",
    () => {
      events.close()
      follow()
    },
    { once: true }
  )
}

const update = async (): Promise<void> => {
  isOutdated = true
  if (isUpdating) return
  isUpdating = true
  try {
    while (isOutdated) {
      isOutdated = false
      await fetchAndReplace()
    }
  } catch {
    // The server has stopped. The next event comes from a new start.
  } finally {
    isUpdating = false
  }
}

const fetchAndReplace = async (): Promise<void> => {
  const response = await fetch(location.href, { headers: { accept: "text/html" }, cache: "no-store" })
  if (response.redirected) {
    location.replace(response.url)
    return
  }
  const policy = response.headers.get("content-security-policy")
  const next = new DOMParser().parseFromString(await response.text(), "text/html")
  const needsLoad = (lastPolicy ?? policy) !== policy || headKey(document) !== headKey(next)
  lastPolicy = policy
  if (needsLoad) {
    location.reload()
    return
  }
  document.title = next.title
  keepState(() => replaceChildren(document.body, next.body, lastDocument?.body))
  lastDocument = next
}

/** Returns the files and styles that a page loads. */
const headKey = ({ head, documentElement }: Document): string =>
  JSON.stringify([
    documentElement.lang,
    documentElement.dir,
    ...[...head.querySelectorAll("link[rel=stylesheet], script[src]")].map(
      (element) => element.getAttribute("href") ?? element.getAttribute("src")
    ),
    ...[...head.querySelectorAll("style")].map(({ textContent }) => textContent)
  ])

/** Own elements of this script and of a dialog, which the server does not send. */
const childrenOf = (element: Element): ReadonlyArray<Element> =>
  [...element.children].filter((child) => !child.matches("lectern-problems, dialog.zoomed"))

const shapeOf = (element: Element): string => `${element.tagName} ${element.id} ${element.className}`

/** Replaces the children of an element that differ. `last`: the element as the server sent it last. */
const replaceChildren = (current: Element, next: Element, last: Element | undefined): void => {
  const currentChildren = childrenOf(current)
  const nextChildren = childrenOf(next)
  const isSameShape =
    currentChildren.length === nextChildren.length &&
    currentChildren.every((child, i) => shapeOf(child) === shapeOf(nextChildren[i]!))
  if (!isSameShape) {
    for (const child of currentChildren) child.remove()
    current.prepend(...nextChildren.map((child) => document.importNode(child, true)))
    return
  }
  const lastChildren = last === undefined ? [] : childrenOf(last)
  const isContentNew = currentChildren.some(
    (child, i) => child.matches("main") && lastChildren[i]?.outerHTML !== nextChildren[i]!.outerHTML
  )
  for (const [i, child] of currentChildren.entries()) {
    const nextChild = nextChildren[i]!
    if (child.matches(containers)) replaceChildren(child, nextChild, lastChildren[i])
    // The outline refers to the elements of the content.
    else if (
      (lastChildren[i] ?? child).outerHTML !== nextChild.outerHTML ||
      (isContentNew && child.querySelector("lectern-outline") !== null)
    )
      child.replaceWith(document.importNode(nextChild, true))
  }
}

/** Changes the page, and preserves its state: open details and tabs, and scroll positions. */
const keepState = (change: () => void): void => {
  const restorePosition = positionOf()
  const openDetails = new Map(detailsByKey().map(([key, { open }]) => [key, open]))
  const checkedTabs = tabGroups()
    .map((inputs) => inputs.find(({ checked }) => checked))
    .map(titleOf)
  const scrollTops = scrollers().map(({ scrollTop }) => scrollTop)
  change()
  for (const [key, details] of detailsByKey()) details.open = openDetails.get(key) ?? details.open
  for (const [i, inputs] of tabGroups().entries())
    for (const input of inputs) if (titleOf(input) === checkedTabs[i]) input.checked = true
  for (const [i, scroller] of scrollers().entries()) scroller.scrollTop = scrollTops[i] ?? 0
  restorePosition()
}

/** Details by id, or by their position among those without one. */
const detailsByKey = (): ReadonlyArray<readonly [key: string, details: HTMLDetailsElement]> =>
  [...document.querySelectorAll("details")].map((details, i) => [details.id || `${i}`, details])

const tabGroups = (): ReadonlyArray<ReadonlyArray<HTMLInputElement>> =>
  [...document.querySelectorAll("lectern-tabs")].map((tabs) => [
    ...tabs.querySelectorAll<HTMLInputElement>(":scope > label > input")
  ])

const titleOf = (input: HTMLInputElement | undefined): string | undefined =>
  input?.closest("label")?.textContent?.trim()

const scrollers = (): ReadonlyArray<Element> => [...document.querySelectorAll("nav")]

/**
 * Returns a function that restores the scroll position: the first element with an id in the window, or the last one
 * above it, stays where it is.
 */
const positionOf = (): (() => void) => {
  const position = scrollY
  const anchors = [...document.querySelectorAll("main [id]")]
    .filter((element) => element.checkVisibility())
    .map((element) => ({ id: element.id, top: element.getBoundingClientRect().top }))
  const anchor = anchors.find(({ top }) => top >= 0 && top < innerHeight) ?? anchors.findLast(({ top }) => top < 0)
  return () => {
    const element = anchor === undefined || position === 0 ? null : document.getElementById(anchor.id)
    const top = element === null ? position : scrollY + element.getBoundingClientRect().top - anchor!.top
    scrollTo({ top, behavior: "instant" })
  }
}

const problemStyles = `
:host { position: fixed; inset: auto 1rem 1rem auto; z-index: 2147483647; font: 14px/1.4 system-ui, sans-serif; }
summary { cursor: pointer; list-style: none; width: max-content; margin-left: auto; padding: 0.25rem 0.75rem;
  border-radius: 1rem; background: #b3261e; color: #fff; }
ul { margin: 0 0 0.5rem; padding: 0.75rem 1rem; width: min(42rem, calc(100vw - 4rem)); max-height: 60vh; overflow: auto;
  box-sizing: border-box; border-radius: 0.5rem; background: #fff; color: #1a1a1a; box-shadow: 0 2px 16px #0006; }
details { display: flex; flex-direction: column-reverse; }
li { list-style: none; padding: 0.25rem 0; overflow-wrap: anywhere; }
a { color: #0b57d0; font-family: ui-monospace, monospace; }
`

const showProblems = ({ problems, problemCount }: State): void => {
  const existing = document.querySelector("lectern-problems")
  if (problemCount === 0) {
    existing?.remove()
    return
  }
  const host = existing ?? document.createElement("lectern-problems")
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" })
  const isOpen = root.querySelector("details")?.open ?? false
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(problemStyles)
  root.adoptedStyleSheets = [sheet]
  const details = document.createElement("details")
  const summary = document.createElement("summary")
  const list = document.createElement("ul")
  summary.textContent = problemCount === 1 ? "1 problem" : `${problemCount} problems`
  for (const { path, line, message, url } of problems) {
    const item = document.createElement("li")
    if (url !== undefined) {
      const link = document.createElement("a")
      link.href = url
      link.textContent = line === undefined ? path : `${path}:${line}`
      item.append(link, " ")
    }
    item.append(message)
    list.append(item)
  }
  if (problemCount > problems.length) {
    const item = document.createElement("li")
    item.textContent = `${problemCount - problems.length} more problems are in the terminal`
    list.append(item)
  }
  details.open = isOpen
  details.append(summary, list)
  root.replaceChildren(details)
  if (existing === null) document.body.append(host)
}

follow()
