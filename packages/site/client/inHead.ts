/** Before anything is painted: the mode that the reader chose, in place of the site's. */
try {
  const { dataset } = document.documentElement
  dataset["site"] = dataset["theme"] ?? ""
  const chosen = localStorage.getItem("lectern-theme")
  if (chosen) dataset["theme"] = chosen
} catch {
  // The browser keeps nothing for this site.
}
