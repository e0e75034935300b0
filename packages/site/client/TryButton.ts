/** Element that opens the form to try an operation. The form and its script load on the first click. */
class TryButton extends HTMLElement {
  connectedCallback(): void {
    const button = this.querySelector("button")!
    let dialog: HTMLDialogElement | undefined
    button.addEventListener("click", async () => {
      if (dialog !== undefined) return dialog.showModal()
      const response = await fetch(this.dataset["from"]!).catch(() => undefined)
      if (response?.ok !== true || dialog !== undefined) return
      const newDialog = document.createElement("dialog")
      newDialog.className = "try-dialog"
      newDialog.ariaLabel = button.textContent
      newDialog.innerHTML = await response.text()
      const { script } = newDialog.querySelector<HTMLElement>(".try")!.dataset
      const { initialize } = (await import(script!)) as {
        readonly initialize: (dialog: HTMLDialogElement, url: string) => void
      }
      dialog = newDialog
      document.body.append(newDialog)
      initialize(newDialog, this.dataset["from"]!)
      newDialog.showModal()
    })
  }
}

export const define = (): void => customElements.define("lectern-try", TryButton)
