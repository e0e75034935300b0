/** Shows an image enlarged to the window, instead of opening the link to its file. */
import { close } from "./Messages.ts"

export const install = (): void => document.addEventListener("click", enlarge)

const enlarge = (event: MouseEvent): void => {
  const link = (event.target as Element).closest<HTMLAnchorElement>("a.zoom")
  if (link === null || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const dialog = document.createElement("dialog")
  const image = document.createElement("img")
  const button = document.createElement("button")
  dialog.className = "zoomed"
  image.src = link.href
  image.alt = link.querySelector("img")?.alt ?? ""
  button.ariaLabel = close
  button.append(image)
  dialog.append(button)
  dialog.ariaLabel = link.ariaLabel
  dialog.addEventListener("click", () => dialog.close())
  dialog.addEventListener("close", () => {
    dialog.remove()
    link.focus()
  })
  document.body.append(dialog)
  dialog.showModal()
}
