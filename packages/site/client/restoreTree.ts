/** Restores the state of the tree of pages before the first paint, and scrolls to the current page. */
try {
  const tree = document.currentScript!.previousElementSibling as HTMLElement
  const state = JSON.parse(sessionStorage.getItem(`lectern-tree ${tree.dataset["tree"]}`) ?? "{}") as {
    readonly open?: ReadonlyArray<string>
    readonly closed?: ReadonlyArray<string>
    readonly top?: number
  }
  for (const id of state.open ?? []) document.getElementById(id)?.setAttribute("open", "")
  for (const id of state.closed ?? []) {
    const branch = document.getElementById(id)
    if (!branch?.querySelector("[aria-current]")) branch?.removeAttribute("open")
  }
  tree.scrollTop = state.top ?? 0
  const linkBounds = tree.querySelector("[aria-current]")?.getBoundingClientRect()
  const treeBounds = tree.getBoundingClientRect()
  if (linkBounds && (linkBounds.top < treeBounds.top || linkBounds.bottom > treeBounds.bottom)) {
    tree.scrollTop += linkBounds.top - treeBounds.top - treeBounds.height / 2
  }
} catch {
  // Storage is disabled.
}
