/**
 * Blocks of integrations. Actions are sent without leaving the page, and the new rendering replaces the block. A frame
 * receives its data whenever the data changes. It reports its size, and may navigate to another page of the site.
 */
import { formState } from "../src/contentkit/FormState.ts"
import { drawnAgain } from "./BlockRerendered.ts"

interface Told {
  readonly action?: {
    readonly action?: unknown
    readonly size?: { readonly aspectRatio?: unknown; readonly height?: unknown }
    readonly path?: unknown
    readonly anchor?: unknown
  }
}

/** Maximum height of a frame (px). */
const highest = 5_000

const urlOf = (frame: Element) => frame.querySelector("iframe")!.src

const isFrame = (node: Node): node is Frame => node instanceof Element && node.matches("lectern-frame")

const holdsFrame = (node: Node): boolean =>
  node instanceof Element && node.matches("lectern-frame, :has(lectern-frame)")

/** Returns true if both nodes contain frames in the same positions and with the same URLs. */
const isAlike = (own: Node, next: Node): boolean => {
  if (!holdsFrame(own) || !holdsFrame(next)) return holdsFrame(own) === holdsFrame(next)
  const [parts, others] = [own.childNodes, next.childNodes]
  if (isFrame(own) || isFrame(next)) return isFrame(own) && isFrame(next) && urlOf(own) === urlOf(next)
  return (
    own.nodeName === next.nodeName &&
    parts.length === others.length &&
    [...parts].every((part, i) => isAlike(part, others[i]!))
  )
}

/** Replaces the content around frames. Frames stay, since reloading would lose their state. */
const renew = (own: Node, next: Node): void => {
  if (isFrame(own)) Object.assign(own.dataset, (next as Frame).dataset)
  else if (!holdsFrame(own)) (own as ChildNode).replaceWith(next)
  else for (const [i, other] of [...next.childNodes].entries()) renew(own.childNodes[i]!, other)
}

/** Creates a message from text that the server provided for failures. */
const missing = (textContent = "") => Object.assign(document.createElement("p"), { className: "missing", textContent })

class Block extends HTMLElement {
  /** Message below the block, until the block is rendered again. */
  failure: Element | undefined

  connectedCallback(): void {
    this.addEventListener("submit", (event) => {
      event.preventDefault()
      const { submitter } = event as SubmitEvent
      const asks = submitter?.dataset["confirm"]
      if (asks === undefined || confirm(asks)) void this.send((submitter as HTMLButtonElement | null)?.value)
    })
    this.addEventListener("change", ({ target }) => {
      const { change } = (target as HTMLElement).dataset
      if (change !== undefined) void this.send(change)
    })
    this.addEventListener("input", () => this.tell())
  }

  async send(action = ""): Promise<void> {
    const form = this.querySelector("form")
    if (form === null || this.ariaBusy === "true") return
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
    body.set("action", action)
    body.set("part", "block")
    this.ariaBusy = "true"
    // A button named `action` hides the property `action` of the form.
    const answer = await fetch(form.getAttribute("action")!, { method: "POST", body }).catch(() => undefined)
    this.ariaBusy = null
    this.failure?.remove()
    if (answer?.ok !== true) return this.fail(missing(form.dataset[answer?.status === 429 ? "often" : "failed"]))
    const template = document.createElement("template")
    template.innerHTML = await answer.text()
    const made = template.content
    const first = made.firstElementChild
    if (first?.matches("lectern-block") === false) return this.fail(first)
    const { name = "", value = "" } = (document.activeElement ?? {}) as Partial<HTMLInputElement>
    const next = this.takes(made) ? this : first
    if (next !== this) this.replaceWith(made)
    next?.dispatchEvent(new Event(drawnAgain, { bubbles: true }))
    if (!name) return
    const same = [...(next?.querySelectorAll<HTMLInputElement>("[name]") ?? [])].filter((one) => one.name === name)
    ;(same.find((one) => one.value === value) ?? same[0])?.focus()
  }

  /** Shows a failure below the block, which stays. Readers keep their input and can try again. */
  fail(failure: Element): void {
    this.failure = failure
    failure.role = "alert"
    this.append(failure)
  }

  /**
   * Updates the content around frames, and sends the frames their new data. Returns false if the frames differ, and
   * then changes nothing.
   */
  takes(made: DocumentFragment): boolean {
    const [own, next] = [this, made].map((one) => one.querySelector("form"))
    if (!own || !next || !isAlike(own, next)) return false
    renew(own, next)
    this.tell()
    return true
  }

  tell(): void {
    for (const frame of this.querySelectorAll<Frame>("lectern-frame")) frame.tell()
  }
}

class Frame extends HTMLElement {
  get frame(): HTMLIFrameElement {
    return this.querySelector("iframe")!
  }

  connectedCallback(): void {
    const { ratio } = this.dataset
    if (ratio !== undefined) this.frame.style.aspectRatio = ratio
    addEventListener("message", this)
    // The frame may have been ready before this script ran.
    this.tell()
  }

  disconnectedCallback(): void {
    removeEventListener("message", this)
  }

  /** Sends the frame its data. Values that readers entered override the rendered state. */
  tell(): void {
    const { state: drawn = "{}", bound = "[]" } = this.dataset
    const state = JSON.parse(drawn) as Record<string, unknown>
    const form = this.closest("form")
    const filled = formState(form === null ? [] : new FormData(form))
    for (const [name, key] of JSON.parse(bound) as ReadonlyArray<readonly [string, string]>) {
      if (filled.has(key)) state[name] = filled.get(key)
    }
    this.frame.contentWindow?.postMessage({ state }, "*")
  }

  /** Navigates to a path of the site. Ignores paths outside of the site. */
  leadTo(path: string, anchor: unknown): void {
    const site = new URL(this.dataset["site"]!, location.href)
    const to = URL.parse(`./${path.replace(/^[\\/]+/, "")}`, site)
    if (!to?.href.startsWith(site.href)) return
    if (typeof anchor === "string") to.hash = anchor
    location.assign(to)
  }

  handleEvent({ source, data }: MessageEvent<Told | null>): void {
    if (source !== this.frame.contentWindow || typeof data?.action?.action !== "string") return
    const { action, size, path, anchor } = data.action
    if (action === "@webframe.ready") return this.tell()
    if (action === "@webframe.navigate" && typeof path === "string") return this.leadTo(path, anchor)
    if (action !== "@webframe.resize") {
      if (!(action as string).startsWith("@webframe."))
        void this.closest<Block>("lectern-block")?.send(JSON.stringify(data.action))
      return
    }
    const { style } = this.frame
    const { height, aspectRatio } = size ?? {}
    if (typeof height === "number" && height > 0) {
      style.aspectRatio = "auto"
      style.height = `${Math.min(height, highest)}px`
    } else if (typeof aspectRatio === "number" && aspectRatio > 0) style.aspectRatio = String(aspectRatio)
  }
}

customElements.define("lectern-block", Block)
customElements.define("lectern-frame", Frame)
