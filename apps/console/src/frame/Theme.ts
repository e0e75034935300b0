/** Light or dark: the choice of the reader in this browser, or else that of the system. */
export const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]

const storageKey = "lectern-theme"

export const currentTheme = (): Theme => {
  const stored = localStorage.getItem(storageKey)
  return stored === "light" || stored === "dark" ? stored : "system"
}

export const applyTheme = (theme: Theme = currentTheme()): void => {
  if (theme === "system") {
    localStorage.removeItem(storageKey)
    delete document.documentElement.dataset["theme"]
  } else {
    localStorage.setItem(storageKey, theme)
    document.documentElement.dataset["theme"] = theme
  }
}
