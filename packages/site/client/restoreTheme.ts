/** Sets the mode that the reader chose, before the first paint. */
try {
  const { dataset } = document.documentElement
  dataset["site"] = dataset["theme"] ?? ""
  const chosenTheme = localStorage.getItem("lectern-theme")
  if (chosenTheme) dataset["theme"] = chosenTheme
} catch {
  // Storage is disabled.
}
