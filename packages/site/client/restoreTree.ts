/** Restores the state of the tree of pages before the first paint, and scrolls to the current page. */
try {
  const tree = document.currentScript!.previousElementSibling as HTMLElement
  const state = JSON.parse(sessionStorage.getItem(`lectern-tree ${tree.dataset["tree"]}`) ?? "{}") as {
    readonly open?: ReadonlyArray<string>
    readonly top?: number
  }
  for (const id of state.open ?? []) document.getElementById(id)?.setAttribute("open", "")
  tree.scrollTop = state.top ?? 0
  const current = tree.querySelector("[aria-current]")?.getBoundingClientRect()
  const bounds = tree.getBoundingClientRect()
  if (current && (current.top < bounds.top || current.bottom > bounds.bottom)) {
    tree.scrollTop += current.top - bounds.top - bounds.height / 2
  }
} catch {
  // Storage is disabled.
}
