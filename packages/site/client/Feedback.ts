/** Element that sends feedback without leaving the page. */
class Feedback extends HTMLElement {
  connectedCallback(): void {
    const form = this.querySelector("form")!
    form.addEventListener("submit", async (event) => {
      event.preventDefault()
      const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
      const response = await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => undefined)
      // A redirect is the successful response to the form.
      if (response === undefined || response.status >= 400) return form.submit()
      this.toggleAttribute("data-sent", true)
      this.querySelector<HTMLElement>(".feedback-thanks")?.focus()
    })
  }
}

export const define = (): void => customElements.define("lectern-feedback", Feedback)
