/**
 * Blocks of integrations: what readers press is sent without leaving the page, and the block is drawn again in its
 * place. Frames are told what they show, and say how large that is.
 */
interface Told {
  readonly action?: {
    readonly action?: unknown
    readonly size?: { readonly aspectRatio?: unknown; readonly height?: unknown }
  }
}

/** Pixels. */
const highest = 5_000

const urlOf = (frame: Element) => frame.querySelector("iframe")!.src

class Block extends HTMLElement {
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
  }

  async send(action = ""): Promise<void> {
    const form = this.querySelector("form")
    if (form === null || this.ariaBusy === "true") return
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
    body.set("action", action)
    body.set("part", "block")
    this.ariaBusy = "true"
    // Buttons are called as the property of the form is.
    const answer = await fetch(form.getAttribute("action")!, { method: "POST", body }).catch(() => undefined)
    this.ariaBusy = null
    if (answer?.ok !== true) return
    const template = document.createElement("template")
    template.innerHTML = await answer.text()
    const made = template.content
    const { name = "", value = "" } = (document.activeElement ?? {}) as Partial<HTMLInputElement>
    const next = this.takes(made) ? this : made.firstElementChild
    if (next !== this) this.replaceWith(made)
    if (!name) return
    const same = [...(next?.querySelectorAll<HTMLInputElement>("[name]") ?? [])].filter((one) => one.name === name)
    ;(same.find((one) => one.value === value) ?? same[0])?.focus()
  }

  /** Puts what is new around frames, which stay and are told of another state; false where they do not. */
  takes(made: DocumentFragment): boolean {
    const [own, next] = [this, made].map((one) => [...one.querySelectorAll<Frame>("lectern-frame")] as const)
    const [parts, others] = [this, made].map((one) => [...(one.querySelector("form")?.children ?? [])] as const)
    if (own!.length !== next!.length || own!.some((frame, i) => urlOf(frame) !== urlOf(next![i]!))) return false
    if (parts!.length !== others!.length) return false
    for (const [i, frame] of own!.entries()) {
      frame.dataset["state"] = next![i]!.dataset["state"]
      frame.tell()
    }
    for (const [i, part] of parts!.entries()) {
      if (!part.matches("lectern-frame, :has(lectern-frame)")) part.replaceWith(others![i]!)
    }
    return true
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
    // One that was ready before this script was.
    this.tell()
  }

  disconnectedCallback(): void {
    removeEventListener("message", this)
  }

  tell(): void {
    const state: unknown = JSON.parse(this.dataset["state"] ?? "{}")
    this.frame.contentWindow?.postMessage({ state }, "*")
  }

  handleEvent({ source, data }: MessageEvent<Told | null>): void {
    if (source !== this.frame.contentWindow || typeof data?.action?.action !== "string") return
    const { action, size } = data.action
    if (action === "@webframe.ready") return this.tell()
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
