/**
 * Blocks of integrations. Actions are sent without leaving the page, and the new rendering replaces the block. A frame
 * receives its data whenever the data changes. It reports its size, and may navigate to another page of the site.
 */
import { formState } from "../src/contentkit/FormState.ts"
import { blockRerendered } from "./BlockRerendered.ts"

interface FrameMessage {
  readonly action?: {
    readonly action?: unknown
    readonly size?: { readonly aspectRatio?: unknown; readonly height?: unknown }
    readonly path?: unknown
    readonly anchor?: unknown
  }
}

/** Maximum height of a frame (px). */
const maxHeight = 5_000

const frameUrl = (frame: Element) => frame.querySelector("iframe")!.src

const isFrame = (node: Node): node is Frame => node instanceof Element && node.matches("lectern-frame")

const containsFrame = (node: Node): boolean =>
  node instanceof Element && node.matches("lectern-frame, :has(lectern-frame)")

/** Returns true if both nodes contain frames in the same positions and with the same URLs. */
const hasSameFrames = (currentNode: Node, nextNode: Node): boolean => {
  if (!containsFrame(currentNode) || !containsFrame(nextNode))
    return containsFrame(currentNode) === containsFrame(nextNode)
  const [children, nextChildren] = [currentNode.childNodes, nextNode.childNodes]
  if (isFrame(currentNode) || isFrame(nextNode))
    return isFrame(currentNode) && isFrame(nextNode) && frameUrl(currentNode) === frameUrl(nextNode)
  return (
    currentNode.nodeName === nextNode.nodeName &&
    children.length === nextChildren.length &&
    [...children].every((child, i) => hasSameFrames(child, nextChildren[i]!))
  )
}

/** Replaces the content around frames. Frames stay, since reloading would lose their state. */
const updateContent = (currentNode: Node, nextNode: Node): void => {
  if (isFrame(currentNode)) Object.assign(currentNode.dataset, (nextNode as Frame).dataset)
  else if (!containsFrame(currentNode)) (currentNode as ChildNode).replaceWith(nextNode)
  else
    for (const [i, nextChild] of [...nextNode.childNodes].entries())
      updateContent(currentNode.childNodes[i]!, nextChild)
}

/** Creates a message from text that the server provided for failures. */
const createMessage = (textContent = "") =>
  Object.assign(document.createElement("p"), { className: "missing", textContent })

class Block extends HTMLElement {
  /** Message below the block, until the block is rendered again. */
  failure: Element | undefined

  connectedCallback(): void {
    this.addEventListener("submit", (event) => {
      event.preventDefault()
      const { submitter } = event as SubmitEvent
      const confirmation = submitter?.dataset["confirm"]
      if (confirmation === undefined || confirm(confirmation))
        void this.send((submitter as HTMLButtonElement | null)?.value)
    })
    this.addEventListener("change", ({ target }) => {
      const { change } = (target as HTMLElement).dataset
      if (change !== undefined) void this.send(change)
    })
    this.addEventListener("input", () => this.updateFrames())
  }

  async send(action = ""): Promise<void> {
    const form = this.querySelector("form")
    if (form === null || this.ariaBusy === "true") return
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
    body.set("action", action)
    body.set("part", "block")
    this.ariaBusy = "true"
    // A button named `action` hides the property `action` of the form.
    const response = await fetch(form.getAttribute("action")!, { method: "POST", body }).catch(() => undefined)
    this.ariaBusy = null
    this.failure?.remove()
    if (response?.ok !== true)
      return this.fail(createMessage(form.dataset[response?.status === 429 ? "often" : "failed"]))
    const template = document.createElement("template")
    template.innerHTML = await response.text()
    const content = template.content
    const first = content.firstElementChild
    if (first?.matches("lectern-block") === false) return this.fail(first)
    const { name = "", value = "" } = (document.activeElement ?? {}) as Partial<HTMLInputElement>
    const nextBlock = this.updateInPlace(content) ? this : first
    if (nextBlock !== this) this.replaceWith(content)
    nextBlock?.dispatchEvent(new Event(blockRerendered, { bubbles: true }))
    if (!name) return
    const sameName = [...(nextBlock?.querySelectorAll<HTMLInputElement>("[name]") ?? [])].filter(
      (field) => field.name === name
    )
    ;(sameName.find((field) => field.value === value) ?? sameName[0])?.focus()
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
  updateInPlace(content: DocumentFragment): boolean {
    const [currentForm, nextForm] = [this, content].map((root) => root.querySelector("form"))
    if (!currentForm || !nextForm || !hasSameFrames(currentForm, nextForm)) return false
    updateContent(currentForm, nextForm)
    this.updateFrames()
    return true
  }

  updateFrames(): void {
    for (const frame of this.querySelectorAll<Frame>("lectern-frame")) frame.sendState()
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
    this.sendState()
  }

  disconnectedCallback(): void {
    removeEventListener("message", this)
  }

  /** Sends the frame its data. Values that readers entered override the rendered state. */
  sendState(): void {
    const { state: initialState = "{}", bound = "[]" } = this.dataset
    const state = JSON.parse(initialState) as Record<string, unknown>
    const form = this.closest("form")
    const fieldState = formState(form === null ? [] : new FormData(form))
    for (const [name, key] of JSON.parse(bound) as ReadonlyArray<readonly [string, string]>) {
      if (fieldState.has(key)) state[name] = fieldState.get(key)
    }
    this.frame.contentWindow?.postMessage({ state }, "*")
  }

  /** Navigates to a path of the site. Ignores paths outside of the site. */
  navigate(path: string, anchor: unknown): void {
    const site = new URL(this.dataset["site"]!, location.href)
    const target = URL.parse(`./${path.replace(/^[\\/]+/, "")}`, site)
    if (!target?.href.startsWith(site.href)) return
    if (typeof anchor === "string") target.hash = anchor
    location.assign(target)
  }

  handleEvent({ source, data }: MessageEvent<FrameMessage | null>): void {
    if (source !== this.frame.contentWindow || typeof data?.action?.action !== "string") return
    const { action, size, path, anchor } = data.action
    if (action === "@webframe.ready") return this.sendState()
    if (action === "@webframe.navigate" && typeof path === "string") return this.navigate(path, anchor)
    if (action !== "@webframe.resize") {
      if (!(action as string).startsWith("@webframe."))
        void this.closest<Block>("lectern-block")?.send(JSON.stringify(data.action))
      return
    }
    const { style } = this.frame
    const { height, aspectRatio } = size ?? {}
    if (typeof height === "number" && height > 0) {
      style.aspectRatio = "auto"
      style.height = `${Math.min(height, maxHeight)}px`
    } else if (typeof aspectRatio === "number" && aspectRatio > 0) style.aspectRatio = String(aspectRatio)
  }
}

customElements.define("lectern-block", Block)
customElements.define("lectern-frame", Frame)
