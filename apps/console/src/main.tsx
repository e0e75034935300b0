/** The program of the console: loads the language of the reader, and shows the screen of the URL. */
import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import { applyTheme } from "./frame/Theme.ts"
import { loadLanguage } from "./language/Language.ts"

applyTheme()
await loadLanguage()
createRoot(document.getElementById("console")!).render(<App />)
