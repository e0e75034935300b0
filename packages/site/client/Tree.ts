/** Keeps for the next page how the tree was left (see `inTree`), and opens the drawer at the page that is shown. */
export const follow = (): void => {
  const tree = document.querySelector<HTMLElement>("[data-tree]")
  if (tree === null) return
  tree.closest("[popover]")?.addEventListener("toggle", () => {
    tree.querySelector("[aria-current]")?.scrollIntoView({ block: "center" })
  })
  addEventListener("pagehide", () => {
    const open = [...tree.querySelectorAll("details[open]")].map(({ id }) => id)
    try {
      sessionStorage.setItem(`lectern-tree ${tree.dataset["tree"]}`, JSON.stringify({ open, top: tree.scrollTop }))
    } catch {
      // The browser keeps nothing for this site.
    }
  })
}
