/**
 * Stores the state of the tree for the next page (see `restoreTree`), and scrolls to the current page when the drawer
 * opens.
 */
export const install = (): void => {
  const tree = document.querySelector<HTMLElement>("[data-tree]")
  if (tree === null) return
  tree.closest("[popover]")?.addEventListener("toggle", () => {
    tree.querySelector("[aria-current]")?.scrollIntoView({ block: "center" })
  })
  addEventListener("pagehide", () => {
    const idsOf = (selector: string) => [...tree.querySelectorAll(selector)].map(({ id }) => id)
    try {
      sessionStorage.setItem(
        `lectern-tree ${tree.dataset["tree"]}`,
        JSON.stringify({ open: idsOf("[open]"), closed: idsOf("details:not([open])"), top: tree.scrollTop })
      )
    } catch {
      // Storage is disabled or full.
    }
  })
}
