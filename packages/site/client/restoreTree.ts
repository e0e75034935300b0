/** Restores the state of the tree of pages before the first paint, and scrolls to the current page. */
try {
  const tree = document.currentScript!.previousElementSibling as HTMLElement
  const kept = JSON.parse(sessionStorage.getItem(`lectern-tree ${tree.dataset["tree"]}`) ?? "{}") as {
    readonly open?: ReadonlyArray<string>
    readonly top?: number
  }
  for (const id of kept.open ?? []) document.getElementById(id)?.setAttribute("open", "")
  tree.scrollTop = kept.top ?? 0
  const shown = tree.querySelector("[aria-current]")?.getBoundingClientRect()
  const frame = tree.getBoundingClientRect()
  if (shown && (shown.top < frame.top || shown.bottom > frame.bottom)) {
    tree.scrollTop += shown.top - frame.top - frame.height / 2
  }
} catch {
  // Storage is disabled.
}
