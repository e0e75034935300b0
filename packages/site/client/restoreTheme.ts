/** Sets the mode that the reader chose, before the first paint. */
try {
  const { dataset } = document.documentElement
  dataset["site"] = dataset["theme"] ?? ""
  const chosen = localStorage.getItem("lectern-theme")
  if (chosen) dataset["theme"] = chosen
} catch {
  // Storage is disabled.
}
