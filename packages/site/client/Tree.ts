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
    const openIds = [...tree.querySelectorAll("details[open]")].map(({ id }) => id)
    try {
      sessionStorage.setItem(
        `lectern-tree ${tree.dataset["tree"]}`,
        JSON.stringify({ open: openIds, top: tree.scrollTop })
      )
    } catch {
      // Storage is disabled or full.
    }
  })
}
