/** Texts of the editor in the language of the reader. English ones are in the editor itself. */
import type { EditorTexts } from "@lectern/editor/EditorTexts"
import { currentLanguage } from "./Language.ts"

export const loadEditorTexts = async (): Promise<Partial<EditorTexts>> => {
  const language = currentLanguage()
  if (language === "de") return (await import("./editor.de.json", { with: { type: "json" } })).default
  if (language === "ar") return (await import("./editor.ar.json", { with: { type: "json" } })).default
  return {}
}
