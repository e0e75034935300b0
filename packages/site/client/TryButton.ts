/** Element that opens the form to try an operation. The form and its script load on the first click. */
class Try extends HTMLElement {
  connectedCallback(): void {
    const button = this.querySelector("button")!
    let dialog: HTMLDialogElement | undefined
    button.addEventListener("click", async () => {
      if (dialog !== undefined) return dialog.showModal()
      const answer = await fetch(this.dataset["from"]!).catch(() => undefined)
      if (answer?.ok !== true || dialog !== undefined) return
      const opened = document.createElement("dialog")
      opened.className = "try-dialog"
      opened.ariaLabel = button.textContent
      opened.innerHTML = await answer.text()
      const { script } = opened.querySelector<HTMLElement>(".try")!.dataset
      const { begin } = (await import(script!)) as { readonly begin: (dialog: HTMLDialogElement, url: string) => void }
      dialog = opened
      document.body.append(opened)
      begin(opened, this.dataset["from"]!)
      opened.showModal()
    })
  }
}

export const define = (): void => customElements.define("lectern-try", Try)
